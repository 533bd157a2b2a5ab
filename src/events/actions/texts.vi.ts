import { formatMoney } from '../../domain/amounts/money.ts';
import { decimalText } from '../../domain/language.ts';
import type { eventsTexts } from './texts.ts';

const running = (name: string, pid: number | undefined) =>
  `một bộ nhận khác tên ${name} đang chạy${pid === undefined ? '' : ` (tiến trình ${pid})`}`;

const seconds = (count: number) => (count < 120 ? `${count} giây` : `${Math.round(count / 60)} phút`);

/** States in a sentence. */
const orLower = (states: readonly string[]) => states.join(' hoặc ').toLowerCase();

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
      `${running(name, pid)}: đang chờ bộ nhận đó dừng${most === undefined ? '' : `, tối đa ${most} giây`} …`,
    notAcknowledged: ({ why }) => `chưa xác nhận, hệ thống sẽ gửi thay đổi này lần nữa: ${why}`,
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
    noListener: ({ advice }) => `không có bộ nhận nào đang chạy: ${advice}`,
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
  tried: {
    one: { name: 'một thay đổi', demand: 'nhận một thay đổi' },
    hundred: { name: '100 thay đổi', demand: 'nhận đến 1.000 thay đổi trong một callback' },
    twice: {
      name: 'gửi hai lần',
      demand: 'nhận cả thay đổi đến lần nữa: sau một lần lỗi, hệ thống gửi các thay đổi đó với id mới',
    },
    unordered: { name: 'sai thứ tự', demand: 'nhận thay đổi cũ hơn thay đổi đã nhận' },
    large: {
      name: 'nội dung 1 MiB',
      demand: 'nhận nội dung lớn: callback có 1.000 thay đổi lớn hơn phần nhiều giới hạn có sẵn',
    },
    fields: { name: 'trường lạ', demand: 'nhận trường và giá trị mà bản sau của hệ thống thêm vào' },
    entity: { name: 'loại bản ghi lạ', demand: 'nhận thay đổi của loại bản ghi chưa biết' },
    slow: { name: 'gửi chậm', demand: 'đọc hết nội dung rồi mới trả lời, và chờ được vài giây' },
    together: { name: '10 lượt cùng lúc', demand: 'nhận nhiều callback cùng lúc: mỗi webhook của tài khoản gửi riêng' },
    restart: {
      name: 'khởi động lại',
      demand: 'trả lời đúng hoặc không trả lời callback đang gửi dở, và nhận khi callback đó đến lần nữa',
    },
  },
  answered: {
    none: ({ why }) => `không trả lời: ${why}`,
    redirect: ({ status }) => `trả lời chuyển hướng (${status}); hệ thống không đi theo`,
    tooLarge: 'trả lời 413: không nhận nội dung lớn như vậy',
    status: ({ status }) => `trả lời status ${status}; hệ thống chỉ nhận 200`,
    early: 'trả lời ok khi chưa nhận hết nội dung: chưa thể lưu những gì chưa đọc',
    late: ({ seconds, most }) =>
      `trả lời sau ${decimalText(Number(seconds.toFixed(1)))} giây, lâu hơn ${decimalText(most)} giây; hệ thống chỉ chờ 60 giây`,
    encoded: ({ encoding }) =>
      `trả lời nội dung mã hóa bằng ${encoding}; nội dung cần đúng là ok, và hệ thống không giải mã`,
    empty: 'trả lời 200 với nội dung trống; nội dung cần đúng là ok',
    other: ({ body }) => `trả lời 200 với ${body}; nội dung cần đúng là ok`,
    slips: {
      mark: ({ answer }) => `${answer}, không có dấu BOM`,
      blanks: ({ answer }) => `${answer}, thêm nhiều nhất một dấu xuống dòng`,
      capitals: ({ answer }) => `${answer}, chữ thường`,
      quotes: ({ answer }) => `${answer}, không có dấu nháy`,
      json: ({ answer }) => `${answer}, không phải JSON`,
      page: ({ answer }) => `${answer}, không phải trang web`,
    },
  },
  wentWrong: {
    first: ({ fault }) => `lần đầu: ${fault}`,
    second: ({ fault }) => `lần thứ hai: ${fault}`,
    some: ({ wrong, of, fault }) => `${wrong}/${of} lượt sai: ${fault}`,
    whileRestarted: ({ fault }) => `trong lúc khởi động lại: ${fault}`,
    afterRestart: ({ fault }) => `sau khi khởi động lại: ${fault}`,
  },
  verdict: {
    passed: ({ passed, of }) => `đạt ${passed}/${of} mục kiểm tra`,
    unreached: ({ others }) => `không kết nối được nơi nhận: chưa kiểm tra ${others} mục còn lại`,
    oneReason: ({ count, fault }) => `${count} mục cùng một lý do: ${fault}`,
    must: ({ check, demand }) => `${check}: nơi nhận cần ${demand}`,
    noRestart: 'lệnh khởi động lại bị lỗi, nên chưa biết nơi nhận khởi động lại thế nào',
  },
  stored: {
    moment: 'cần là thời điểm như 2026-01-31T08:00:00Z, một ngày, hoặc khoảng thời gian như 2h',
    elsewhere: ({ id }) => `nơi lưu dữ liệu này không có thay đổi ${id}`,
    unknown: ({ id }) => `ở đây không lưu thay đổi ${id}; có thể đã bị xóa`,
    needsTarget: 'cần có đích',
    more: ({ most, advice }) => `có hơn ${most ?? 0} thay đổi: ${advice}`,
    choose: 'chọn các thay đổi: ghi id, hoặc thời điểm bắt đầu',
    sinceMissing: 'thiếu, và cũng không có id',
    listenerRuns: 'một bộ nhận đang chạy: bộ nhận đó sẽ gửi các thay đổi này',
    ofAllShops: 'xóa thay đổi của mọi shop',
    kept: ({ count }) => `còn ${formatMoney(count)} thay đổi: có đích chưa nhận`,
  },
  wait: {
    still: ({ name, seconds: spent, says, wanted }) =>
      `sau ${spent} giây ${name} vẫn ${says.toLowerCase()}, chưa sang ${orLower(wanted)}`,
    over: ({ name, says, wanted }) => `${name} ${says.toLowerCase()}, không thể sang ${orLower(wanted)} nữa`,
    order: ({ name }) => `đơn ${name}`,
    batch: ({ name }) => `đợt gửi ${name}`,
    webhook: ({ name }) => `webhook ${name}`,
    ofParcels: ({ state, parcels }) => `${state} (vận đơn: ${parcels.join(', ')})`,
    calledBy: ({ order, by, id }) => `${order} là ${by} của ${id}`,
  },
};
