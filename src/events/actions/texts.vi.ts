import { formatMoney } from '../../domain/amounts/money.ts';
import type { eventsTexts } from './texts.ts';

const running = (name: string, pid: number | undefined) =>
  `một lệnh nhận khác tên ${name} đang chạy${pid === undefined ? '' : ` (tiến trình ${pid})`}`;

const seconds = (count: number) => (count < 120 ? `${count} giây` : `${Math.round(count / 60)} phút`);

export const eventsVietnamese: typeof eventsTexts = {
  field: ({ field, what }) => `${field}: ${what}`,
  targets: {
    unknown: ({ given, names }) =>
      `không có đích nào tên hoặc địa chỉ ${given}; ${names.length === 0 ? 'chưa có đích nào' : `có ${names.join(', ')}`}`,
    noneActive: 'không có đích nào đang dùng',
    tooManyNames: 'nhiều tên hơn số đích',
    nameForm: 'chỉ nhận chữ không dấu, số và . : @ / _ -, không quá 100 ký tự',
    twoOfName: ({ name }) => `cần tên khác nhau cho hai đích cùng tên ${name}`,
    form: 'cần là URL, hoặc ENTITY=URL, hoặc ENTITY.create=URL (update, delete)',
    formMeant: ({ meant }) => `cần là URL, hoặc ENTITY=URL, hoặc ENTITY.create=URL (update, delete); ghi ${meant}`,
    noEntity: ({ entity, names }) => `không có loại ${entity}: có ${names.join(', ')}`,
    noChange: ({ change, names }) => `không có thay đổi ${change}: có ${names.join(', ')}`,
    notHttp: 'cần là URL http hoặc https',
    hasUser: 'không được có tên người dùng hay mật khẩu',
    forbidden: 'dẫn đến địa chỉ nội bộ không được phép (link-local, metadata)',
  },
  attempt: {
    accepted: ({ target, id, answer, ms }) => `${target}: thay đổi ${id}: "${answer}" sau ${ms} ms`,
    dead: ({ attempt }) => `${attempt}; không gửi được, đã thôi`,
    again: ({ attempt, inSeconds }) => `${attempt}; thử lại sau ${seconds(inSeconds)}`,
    more: ({ count }) => `và ${formatMoney(count)} thay đổi nữa đã được nhận`,
  },
  noAccount: 'nhiều tài khoản dùng chung nơi lưu dữ liệu, cần key để biết thay đổi của ai, mà chưa có key',
  listen: {
    noneCame: 'không có thay đổi nào đến',
    oneUnmatched: '1 thay đổi đã đến, không khớp biểu thức',
    unmatched: ({ seen }) => `${formatMoney(seen)} thay đổi đã đến, không cái nào khớp biểu thức`,
    absent: ({ came, fields }) => `${came}; không có ${fields.join(', ')}: biểu thức xét những gì được in của thay đổi`,
    running: ({ name, pid }) => running(name, pid),
    waiting: ({ name, pid, most }) =>
      `${running(name, pid)}: đang chờ lệnh đó dừng${most === undefined ? '' : `, tối đa ${most} giây`} …`,
    notAcknowledged: ({ why }) => `chưa xác nhận, hệ thống sẽ gửi lại thay đổi này: ${why}`,
    at: ({ url }) => `Đang nhận tại ${url}`,
    cameOf: ({ seen, count }) => `${seen}/${count} thay đổi đã đến`,
    port: 'cần từ 0 đến 65535',
    atLeastOne: 'ít nhất là 1',
    publicUrl: 'cần là URL https không có phần truy vấn, không có tên người dùng hay mật khẩu',
    publicUrlMissing: 'hệ thống ở máy khác, cần địa chỉ để gửi đến đây',
    urlMissing: 'thiếu: hệ thống ở máy khác',
  },
  expression: {
    wrong: ({ why }) => `không phải biểu thức JMESPath: ${why}`,
    openQuote: ({ at }) => `dấu nháy ở ký tự ${at} chưa đóng`,
    endsEarly: 'biểu thức hết quá sớm, hoặc còn chỗ chưa đóng',
    number: 'số đặt trong dấu ngược, như `5`',
    assigned: ({ name }) => `một dấu = sau ${name} không so sánh gì: ghi ==`,
    noFunction: ({ name }) => `không có hàm ${name}()`,
    tooLong: 'mất quá nhiều thời gian cho một thay đổi',
  },
  webhook: {
    stopped: ({ id, since, recover }) =>
      `hệ thống đã dừng webhook ${id}: thiếu các thay đổi từ ${since} cho đến khi tạo lại bằng \`${recover}\``,
    gap: ({ from, to }) =>
      `thiếu các thay đổi từ ${from} đến ${to}: hệ thống đã dừng gửi và không giữ lịch sử; các danh sách cho biết trạng thái hiện tại, không cho biết đã có gì`,
    gapPolled: ({ from, to, polledAt }) =>
      `các thay đổi từ ${from} đến ${to} không đến vì hệ thống đã dừng gửi; lúc ${polledAt} đã lưu trạng thái của mọi bản ghi có thay đổi: chưa rõ ở giữa đã có gì`,
    polled: ({ count }) =>
      `đã hỏi hệ thống và thấy ${formatMoney(count)} thay đổi mà webhook chưa gửi: xem \`shopctl events list\`, nguồn là poll`,
    notLooked: ({ why }) => `không xem được các webhook: ${why}`,
    notLookedAfter: ({ why }) => `không kiểm tra được webhook: ${why}`,
    registered: ({ id, kinds }) => `Đã đăng ký webhook ${id} cho ${kinds} loại bản ghi`,
    tookOver: ({ id, kinds }) => `Dùng tiếp webhook ${id} cho ${kinds} loại bản ghi`,
    inPlace: ({ id }) => `Webhook đã bị dừng hoặc bị xóa: đã đăng ký ${id} thay thế`,
    notRemoved: ({ id, why }) => `không xóa được webhook ${id}: ${why}`,
    noListener: ({ advice }) => `không có lệnh nhận nào đang chạy: ${advice}`,
    unexpected: 'unexpected response: nơi nhận cần trả lời status 200 với nội dung đúng là ok',
    ofOthers: ({ count, advice }) => `${count} webhook bị dừng không gửi về đây: ${advice}`,
    noneStopped: 'hệ thống không dừng webhook nào',
  },
  send: {
    noneYet: ({ kind }) => `chưa có ${kind} nào`,
    none: ({ kind, id }) => `không có ${kind} ${id}`,
    noSuchRecord: 'không phải id của bản ghi nào như vậy',
    ofPartner: 'key của đối tác chỉ đọc được đơn hàng theo id: ghi id của một đơn',
    orderId: 'cần là id của một đơn hàng',
    hasNoId: ({ kind }) => `không tra được ${kind}: loại này không có id`,
    giveId: ({ kind }) => `không tra được ${kind}: ghi id`,
  },
  stored: {
    moment: 'cần là thời điểm như 2026-01-31T08:00:00Z, một ngày, hoặc khoảng thời gian như 2h',
    elsewhere: ({ id }) => `nơi lưu dữ liệu này không có thay đổi ${id}`,
    unknown: ({ id }) => `ở đây không lưu thay đổi ${id}; có thể đã bị xóa`,
    needsTarget: 'cần có đích',
    more: ({ most, advice }) => `có hơn ${most ?? 0} thay đổi: ${advice}`,
    choose: 'chọn các thay đổi: ghi id, hoặc thời điểm bắt đầu',
    sinceMissing: 'thiếu, và cũng không có id',
    listenerRuns: 'một lệnh nhận đang chạy: lệnh đó sẽ gửi các thay đổi này',
    ofAllShops: 'xóa thay đổi của mọi shop',
    kept: ({ count }) => `còn ${formatMoney(count)} thay đổi: có đích chưa nhận`,
  },
  wait: {
    still: ({ name, seconds: spent, says, wanted }) =>
      `sau ${spent} giây ${name} vẫn ${says}, chưa ${wanted.join(' hoặc ')}`,
    over: ({ name, says, wanted }) => `${name}: ${says}, không thể ${wanted.join(' hoặc ')} nữa`,
    order: ({ name }) => `đơn ${name}`,
    batch: ({ name }) => `đợt gửi ${name}`,
    webhook: ({ name }) => `webhook ${name}`,
    ofParcels: ({ state, parcels }) => `${state} (vận đơn: ${parcels.join(', ')})`,
    calledBy: ({ order, by, id }) => `${order} là ${by} của ${id}`,
  },
};
