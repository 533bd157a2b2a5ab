import { formatMoney } from '../domain/amounts/money.ts';
import type { ledgerTexts } from './texts.ts';

const differing = (fields: readonly string[]) =>
  fields.length === 0 ? 'nội dung khác' : `nội dung khác (${fields.join(', ')})`;

export const ledgerVietnamese: typeof ledgerTexts = {
  sent: {
    settled: 'không nhận được trả lời của hệ thống; tra theo external_id thì đã tạo đúng một lần',
    before: 'đã gửi trước đây: lần này không gửi gì',
    together: 'một lần chạy khác vừa gửi: đã tạo đúng một lần',
    onceMore: 'chưa ai được báo về đơn này: muốn thêm một đơn nữa thì chạy lại với --again',
    different: ({ fields }) => `hệ thống trả về ${fields.join(', ')} khác với những gì đã gửi`,
    unkept: ({ why }) => `đã tạo, nhưng không ghi được vào sổ gửi: ${why}; chạy lại lệnh này để ghi`,
    beside: ({ other }) =>
      `đã ghi là chưa tạo trước khi có câu trả lời, và một bản giống hệt vừa được gửi (${other}): có thể thành hai; kiểm tra trên hệ thống và hủy bớt một`,
    mayBeMade: ({ name }) => `Chưa rõ ${name} đã được tạo hay chưa. Gửi thêm một bản nữa?`,
    intent: ({ id }) => `lệnh ghi ${id}`,
    restored: ({ place, rows }) =>
      `${place} được khôi phục từ bản sao lưu: ${formatMoney(rows)} dòng ghi là chưa gửi có thể đã được gửi sau đó; sẽ tra lại trước khi gửi tiếp`,
  },
  cash: {
    toCollect: ({ amount }) => `thu hộ ${formatMoney(amount)}\u00A0₫`,
    nothing: 'không thu tiền',
  },
  word: {
    none: ({ id }) => `không có lệnh ghi chưa rõ kết quả nào là ${id}`,
    several: ({ id }) => `có nhiều lệnh ghi ${id}`,
    write: ({ id }) => `lệnh ghi ${id}`,
    isDone: ({ id }) => `${id} đã xong trên hệ thống?`,
    wasNotDone: ({ id }) => `${id} đúng là chưa được làm? Bản cũ vẫn có thể đến sau, khi đó gửi lần nữa sẽ thành hai.`,
    settling: ({ id }) => `ghi kết quả của ${id}`,
    chooseOne: 'chọn một: đã xong, hay chưa',
    ofBatch: ({ id }) => `${id} là một dòng của đợt gửi`,
    beingSent: ({ id }) => `một shopctl khác đang gửi ${id}`,
    meanwhile: ({ id }) => `${id} vừa được một tiến trình khác kiểm tra hoặc gửi lại, nên chưa ghi gì`,
  },
  drafts: {
    busy: ({ id, state }) => `một shopctl khác đang dùng bản nháp ${id}, nay ở trạng thái ${state}`,
    noId: 'thiếu ID của bản nháp',
    none: ({ id }) => `không có bản nháp ${id}`,
    several: ({ id }) => `có nhiều bản nháp ${id}`,
  },
  refused: {
    sentBefore: ({ at, order }) => `đơn giống hệt đã gửi lúc ${at}, là đơn ${order}`,
    differs: ({ name, at, fields }) => `${name} đã gửi lúc ${at} với ${differing(fields)}: lần này không gửi gì`,
    differsSettled: ({ name, at, fields }) =>
      `${name} đã gửi lúc ${at} với ${differing(fields)}; đã làm rõ lệnh đó, không gửi gì thêm`,
    ended: ({ name }) => `${name} đã gửi trước đây, sau đó đã hủy, hoàn hoặc xóa`,
    byPartner: 'đã gửi bằng key của đối tác trước đây: lần này không gửi gì',
    byShop: 'đã gửi bằng key của shop trước đây: lần này không gửi gì',
    heldByWrite: ({ resource, name }) => `lệnh ghi ${resource} ${name} trước đây chưa rõ kết quả: lần này không gửi gì`,
    heldByEqual: ({ name }) => `bản giống hệt đã gửi trước đây (${name}) chưa rõ kết quả: lần này không gửi gì`,
    heldByRow: ({ row, batch }) =>
      `dòng ${row} của đợt gửi số ${batch} đã gửi bản giống hệt, chưa rõ kết quả: lần này không gửi gì`,
    copied: ({ name }) => `${name} là mã của nội dung khác, chép từ đơn khác: bỏ trống external_id`,
    sameRecord: 'một shopctl khác đang gửi cùng bản ghi này: lần này không gửi gì',
    leaseEnded: 'hết quyền gửi trước khi kịp gửi',
    earlierAttempt: ({ message }) => `lần trước có thể đã được thực hiện, còn lần này lỗi: ${message}`,
    whichRecord: ({ command }) => `hệ thống không cho biết ${command} dùng bản ghi nào: dùng ID`,
    takenElsewhere: ({ name, order, shop }) => `${name} đã là mã của đơn ${order} của shop ${shop}: chưa gửi gì`,
    otherAddress: ({ shop, known, origin }) =>
      `shop ${shop} đã được ghi ở ${known}, và ${origin} có thể cùng một hệ thống: chưa gửi gì`,
    joining: 'hai địa chỉ của hệ thống đang được gộp: chưa gửi gì',
    joiningHint: 'chạy lại lệnh cho biết hai địa chỉ có phải là một, ở nơi lệnh đó bị ngắt',
    replaced: ({ place }) => `${place} đã bị thay, không biết tài khoản này đã gửi gì trước đây: chưa gửi gì`,
    elsewhere: ({ held, place }) =>
      `những gì tài khoản này đã gửi được ghi ở ${held}, không phải ở ${place}: chưa gửi gì`,
    setting: ({ wrong }) => `không nhận cài đặt workspace: ${wrong}`,
    newer: ({ path }) => `${path} do bản shopctl mới hơn ghi: chưa đổi gì`,
  },
};
