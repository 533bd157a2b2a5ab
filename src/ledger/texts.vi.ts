import { formatMoney } from '../domain/amounts/money.ts';
import type { ledgerTexts } from './texts.ts';

const differing = (fields: readonly string[]) =>
  fields.length === 0 ? 'nội dung khác' : `nội dung khác (${fields.join(', ')})`;

export const ledgerVietnamese: typeof ledgerTexts = {
  sent: {
    settled: 'Không nhận được trả lời của hệ thống; tra theo external_id thì đã tạo đúng một lần',
    before: 'Đã gửi trước đây: lần này không gửi gì',
    together: 'Một lần chạy khác vừa gửi: đã tạo đúng một lần',
    onceMore: 'Chưa ai được báo về đơn này: muốn thêm một đơn nữa thì chạy lại với --again',
    different: ({ fields }) => `Hệ thống trả về ${fields.join(', ')} khác với những gì đã gửi`,
    unkept: ({ why }) => `Đã tạo, nhưng không ghi được vào sổ gửi: ${why}; chạy lại lệnh này để ghi`,
    beside: ({ other }) =>
      `Đã ghi là chưa tạo trước khi có câu trả lời, và một bản giống hệt vừa được gửi (${other}): có thể thành hai; kiểm tra trên hệ thống và hủy bớt một`,
    mayBeMade: ({ name }) => `Chưa rõ ${name} đã được tạo hay chưa. Gửi thêm một bản nữa?`,
    intent: ({ id }) => `lần gửi ${id}`,
    restored: ({ place, rows }) =>
      `${place} được khôi phục từ bản sao lưu: ${formatMoney(rows)} dòng ghi là chưa gửi có thể đã được gửi sau đó; sẽ tra lại trước khi gửi tiếp`,
  },
  cash: {
    toCollect: ({ amount }) => `thu hộ ${formatMoney(amount)}\u00A0₫`,
    nothing: 'không thu tiền',
  },
  word: {
    none: ({ id }) => `Không có lần gửi chưa rõ nào là ${id}`,
    several: ({ id }) => `Có nhiều lần gửi ${id}`,
    write: ({ id }) => `lần gửi ${id}`,
    isDone: ({ id }) => `${id} đã xong trên hệ thống?`,
    wasNotDone: ({ id }) => `${id} đúng là chưa được làm? Bản cũ vẫn có thể đến sau, khi đó gửi lại sẽ thành hai.`,
    settling: ({ id }) => `ghi kết quả của ${id}`,
    chooseOne: 'Chọn một: đã xong, hay chưa',
    ofBatch: ({ id }) => `${id} là một dòng của đợt gửi`,
    beingSent: ({ id }) => `Một shopctl khác đang gửi ${id}`,
    meanwhile: ({ id }) => `${id} vừa được một tiến trình khác kiểm tra hoặc gửi lại, nên chưa ghi gì`,
  },
  drafts: {
    busy: ({ id, state }) => `Một shopctl khác đang dùng bản nháp ${id}, nay ở trạng thái ${state}`,
    noId: 'Thiếu ID của bản nháp',
    none: ({ id }) => `Không có bản nháp ${id}`,
    several: ({ id }) => `Có nhiều bản nháp ${id}`,
  },
  refused: {
    sentBefore: ({ at, order }) => `Đơn giống hệt đã gửi lúc ${at}, là đơn ${order}`,
    differs: ({ name, at, fields }) => `${name} đã gửi lúc ${at} với ${differing(fields)}. Lần này không gửi gì.`,
    differsSettled: ({ name, at, fields }) =>
      `${name} đã gửi lúc ${at} với ${differing(fields)}; đã làm rõ lần đó, không gửi gì thêm`,
    ended: ({ name }) => `${name} đã gửi trước đây, sau đó đã hủy, hoàn hoặc xóa`,
    byPartner: 'Đã gửi bằng key của đối tác trước đây. Lần này không gửi gì.',
    byShop: 'Đã gửi bằng key của shop trước đây. Lần này không gửi gì.',
    heldByWrite: ({ resource, name }) => `Lần gửi ${resource} ${name} trước đây chưa rõ kết quả. Lần này không gửi gì.`,
    heldByEqual: ({ name }) => `Bản giống hệt đã gửi trước đây (${name}) chưa rõ kết quả. Lần này không gửi gì.`,
    heldByRow: ({ row, batch }) =>
      `Dòng ${row} của đợt gửi số ${batch} đã gửi bản giống hệt, chưa rõ kết quả. Lần này không gửi gì.`,
    copied: ({ name }) => `${name} là mã của nội dung khác, chép từ đơn khác: bỏ trống external_id`,
    sameRecord: 'Một shopctl khác đang gửi cùng bản ghi này. Lần này không gửi gì.',
    leaseEnded: 'hết quyền gửi trước khi kịp gửi',
    earlierAttempt: ({ message }) => `Lần trước có thể đã được thực hiện, còn lần này lỗi: ${message}`,
    whichRecord: ({ command }) => `Hệ thống không cho biết ${command} dùng bản ghi nào: dùng ID`,
    takenElsewhere: ({ name, order, shop }) => `${name} đã là mã của đơn ${order} của shop ${shop}. Chưa gửi gì.`,
    otherAddress: ({ shop, known, origin }) =>
      `Shop ${shop} đã được ghi ở ${known}, và ${origin} có thể cùng một hệ thống. Chưa gửi gì.`,
    joining: 'Hai địa chỉ của hệ thống đang được gộp. Chưa gửi gì.',
    joiningHint: 'chạy lại lệnh cho biết hai địa chỉ có phải là một, ở nơi lệnh đó bị ngắt',
    replaced: ({ place }) => `${place} đã bị thay, không biết tài khoản này đã gửi gì trước đây. Chưa gửi gì.`,
    elsewhere: ({ held, place }) =>
      `Những gì tài khoản này đã gửi được ghi ở ${held}, không phải ở ${place}. Chưa gửi gì.`,
    setting: ({ wrong }) => `Không nhận cài đặt workspace: ${wrong}`,
    newer: ({ path }) => `${path} do bản shopctl mới hơn ghi. Chưa đổi gì.`,
  },
};
