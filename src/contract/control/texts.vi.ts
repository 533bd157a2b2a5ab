import { labelVietnamese } from '../labels.vi.ts';
import type { sandboxTexts } from './texts.ts';

const inSentence = (state: string) => labelVietnamese.state(state).toLowerCase();

export const sandboxVietnamese: typeof sandboxTexts = {
  clock: {
    real: 'đồng hồ của sandbox chạy theo đồng hồ của máy',
    moved: 'đồng hồ của sandbox chạy riêng, không theo đồng hồ của máy',
    frozen: 'đồng hồ của sandbox đang dừng',
    stands: ({ mode, isDue }) => `${mode}; ${isDue ? 'có việc sắp tự diễn ra' : 'không có việc nào sắp tự diễn ra'}`,
  },
  signedIn: ({ shop }) => `shop ${shop} đã đăng nhập`,
  signedInElsewhere: ({ shop }) =>
    `shop ${shop} đã đăng nhập; ứng dụng đã yêu cầu được báo ở redirect_url, hoặc cần id của shop`,
  unlinked: ({ count }) => `đã xóa ${count} liên kết`,
  faults: {
    added: ({ operation, when, action }) => `lượt gọi ${operation} bị ${action} (${when})`,
    none: 'chưa đặt lỗi giả lập nào',
    listed: ({ count, fired }) => `đã đặt ${count} lỗi giả lập, ${fired} lượt gọi bị tác động`,
    removed: ({ count }) => `đã xóa ${count} lỗi giả lập`,
  },
  moved: ({ state, following }) => {
    const now = `vận đơn hiện ${inSentence(state)}`;
    const [only, ...others] = following.map((each) => `\`${each}\``);
    if (only === undefined) return `${now}, đó là trạng thái cuối`;
    if (others.length === 0) return `${now}; sau đó chỉ có ${only}`;
    return `${now}; sau đó là một trong ${[only, ...others].join(', ')}`;
  },
  snapshots: {
    saved: ({ name }) => `dữ liệu hiện tại đã lưu thành bản chụp ${name}`,
    restored: ({ name }) => `dữ liệu và đồng hồ của sandbox đã trở lại như bản chụp ${name}`,
    listed: ({ count }) => `${count} bản chụp`,
    removed: ({ name }) => `đã xóa bản chụp ${name}`,
    reset: 'những gì tạo từ lúc bắt đầu đã bị xóa; tài khoản và key vẫn còn',
  },
  noneRuns: ({ advice }) => `không có sandbox nào đang chạy: ${advice}`,
  noneRunning: 'không có sandbox nào đang chạy',
  stopped: 'sandbox đã dừng',
  stoppedNamed: ({ name }) => `sandbox ${name} đã dừng`,
  refused: ({ message }) => `bị từ chối: "${message}"`,
  within: ({ name }) => `trong sandbox ${name}`,
  started: {
    runs: ({ at }) => `Sandbox chạy ở ${at}`,
    runsAlready: ({ at, pid }) => `Sandbox đã chạy sẵn ở ${at} (tiến trình ${pid})`,
    look: ({ at }) => `Xem trong trình duyệt bằng địa chỉ dùng được một lần: ${at}`,
    keepsNothing: 'Không lưu gì: dữ liệu mất khi sandbox dừng.',
    data: ({ path }) => `Dữ liệu: ${path}`,
    profiles: ({ profiles }) => `Đã lưu các profile: ${profiles.join(' (đối tác mẫu), ')} (key của một shop mẫu)`,
    dropped: ({ shops }) => `Shop đã đăng nhập với sandbox trước, nay không còn: ${shops.join(', ')}`,
    elsewhere: 'Trong một cửa sổ dòng lệnh khác:',
    goOn: 'Tiếp theo:',
    ctrlC: 'Ctrl-C để dừng.',
    keepsRunning: ({ pid, path }) => `Sandbox chạy tiếp (tiến trình ${pid}, ghi vào ${path}) cho đến khi:`,
  },
  name: 'chỉ gồm chữ cái không dấu, chữ số, _, - và ., nhiều nhất 64 ký tự',
  noProfile: ({ profile }) => `sandbox mới không có profile ${profile}`,
  notHonoured: ({ setting }) => `sandbox mới không theo được ${setting}`,
  trigger: {
    kind: 'cần bắt đầu bằng một loại bản ghi, như order.delivered',
    state: ({ states }) => `cần kết thúc bằng một trạng thái: ${states.join(', ')}`,
    ownCommand: ({ kind, advice }) => `${kind} thay đổi bằng lệnh riêng; ${advice}`,
    moved: ({ entity, id, orders, shop, state }) => {
      const of = orders.length === 0 ? '' : `, của đơn ${orders.join(', ')}`;
      return `đã chuyển ${entity} ${id}${of} của shop ${shop}: nay ${inSentence(state)}`;
    },
    waiting: ({ count, advice }) => `${count} thay đổi chưa gửi: ${advice}`,
    nobody: ({ advice }) => `không có webhook nào của shop đó nhận được: ${advice}`,
  },
};
