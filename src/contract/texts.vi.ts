import { grouped } from '../domain/language.ts';
import { labelVietnamese } from './labels.vi.ts';
import type { contractTexts, SaidParcel } from './texts.ts';

const dong = (amount: number) => `${grouped(amount)}\u00A0₫`;
const decimal = (number: number) => String(number).replace('.', ',');
const orMeant = (name: string | undefined) => (name === undefined ? '' : `; có phải ${name} không?`);

/** A state, and the status of a letter, within a sentence. */
const stateOf = (state = 'default') => labelVietnamese.state(state).toLowerCase();
const statusOf = (letter: string) => labelVietnamese.status[letter]?.toLowerCase();

const orderCalled = ({ code }: { readonly code: string | undefined }) =>
  code === undefined ? 'đơn này' : `đơn ${code}`;
const parcelCalled = ({ code }: SaidParcel) => (code === undefined ? 'vận đơn' : `vận đơn ${code}`);
const namesOf = (parcels: readonly SaidParcel[]) => parcels.map(parcelCalled).join(' và ');

const found: Readonly<Record<string, string>> = {
  returning: 'đang hoàn: hàng tự về lại shop',
  returned: 'đã hoàn: shop đã nhận lại hàng, không còn gì để dừng',
  undeliverable: 'không giao được: đơn vị vận chuyển không giao nữa, và biết hàng ở đâu',
};

function standing(parcel: SaidParcel): string {
  const { state, cash } = parcel;
  if (state === 'delivered') {
    const collected = cash > 0 ? `, đã thu hộ ${dong(cash)}` : '';
    return `${parcelCalled(parcel)} đã giao: khách đã nhận hàng${collected}, và hệ thống không nhận yêu cầu trả hàng`;
  }
  return `${parcelCalled(parcel)} ${found[state ?? ''] ?? `${stateOf(state)}: đơn vị vận chuyển đang giữ hàng, không dừng được nữa`}`;
}

function goingOn(parcel: SaidParcel): string {
  const { state, cash } = parcel;
  const which = parcelCalled(parcel);
  if (state === 'returned' || state === 'undeliverable') return `${which} ${stateOf(state)}, giữ nguyên như vậy`;
  if (state === 'returning') return `${which} đang hoàn, hàng tự về`;
  if (state !== 'delivered')
    return `${which} ${stateOf(state)} và đi tiếp${cash > 0 ? `, còn thu hộ ${dong(cash)}` : ''}`;
  return cash > 0
    ? `${which} đã giao và đã thu hộ ${dong(cash)}: hủy đơn không lấy lại được hàng hay tiền`
    : `${which} đã giao: hủy đơn không lấy lại được hàng`;
}

export const contractVietnamese: typeof contractTexts = {
  required: 'còn thiếu',
  missing: 'bị thiếu',
  nothing: 'không có',
  wrong: 'sai',
  unlike: 'không đúng như phải có',
  inexact: 'lớn hơn mức mà một số JSON giữ được chính xác',
  must: {
    string: 'phải là văn bản',
    int: 'phải là số nguyên',
    number: 'phải là số',
    boolean: 'phải là true hoặc false',
    array: 'phải là danh sách',
    object: 'phải là đối tượng',
    record: 'phải là đối tượng',
  },
  atLeastItems: ({ count }) => `phải có ít nhất ${count} mục`,
  atMostItems: ({ count }) => `chỉ được có nhiều nhất ${count} mục`,
  oneOf: ({ values, nearest }) => `phải là một trong: ${values.join(', ')}${orMeant(nearest)}`,
  noField: ({ nearest }) => `không phải trường của API${orMeant(nearest)}`,
  notSupported: 'chưa được hỗ trợ: bỏ đi hoặc để trống',
  ids: {
    none: 'không phải id số nguyên 64 bit',
    lostDigits: 'quá lớn để một số JSON giữ được chính xác: ghi id trong dấu ngoặc kép',
    list: 'phải là các id cách nhau bằng dấu phẩy, ví dụ 1,2,3',
    prefix: ({ least }) => `cần ít nhất ${least} ký tự`,
  },
  written: {
    text: ({ written }) => `phải là văn bản: ghi trong dấu nháy, '${written}'`,
    thousands: ({ written, value, whole, broken }) =>
      `ghi là ${written}, máy đọc là ${decimal(value)}, có thể là ${grouped(whole)} hoặc ${decimal(broken)}: ghi không có dấu chấm, hoặc trong dấu nháy`,
    point: ({ written, value }) =>
      `ghi là ${written}, máy đọc là ${decimal(value)}: ghi không có dấu chấm, hoặc trong dấu nháy`,
    digits: ({ written, value }) => `ghi là ${written}, máy đọc là ${decimal(value)}: ghi bằng chữ số`,
  },
  rules: {
    beforeNames: 'cùng với |đúng một trong |ít nhất một trong ',
    exactlyOne: ({ names }) => `còn thiếu: cần đúng một trong ${names.join(', ')}`,
    together: ({ given, names }) => `không đi cùng với ${given}: cần đúng một trong ${names.join(', ')}`,
    atLeastOne: ({ names }) => `còn thiếu: cần ít nhất một trong ${names.join(', ')}`,
    empty: 'không được rỗng',
    negative: 'không được âm',
    atLeast: ({ least }) => `phải ít nhất là ${least}`,
    goTogether: ({ one, other }) => `còn thiếu: ${one} và ${other} phải đi cùng nhau`,
    degrees: ({ most }) => `phải từ -${most} đến ${most} độ`,
    url: 'phải là URL http hoặc https',
    userInUrl: 'không được chứa tên người dùng hay mật khẩu',
    secondTime: ({ name }) => `ghi ${name} lần thứ hai`,
    aboveRetail: ({ given, expected }) => `là ${grouped(given)}, cao hơn retail_price ${grouped(expected)}`,
    missingSum: ({ expected, formula }) => `còn thiếu, phải là ${grouped(expected)} (${formula})`,
    sum: ({ given, expected, formula }) => `là ${grouped(given)}, phải là ${grouped(expected)} (${formula})`,
    leastWeight: ({ given, minimum, formula }) =>
      `là ${grouped(given)}, phải ít nhất là ${grouped(minimum)} (${formula})`,
  },
  notes: {
    meant: ({ note, meant }) => `${note}; có phải ${meant} không?`,
    deprecatedType: 'là loại đã lỗi thời',
    shortName: 'chỉ có một ký tự, hệ thống có thể từ chối',
    repeatedLine: 'trùng với một dòng khác của đơn, và cả hai đều được gửi: xóa một dòng nếu chép nhầm',
    pieces: ({ pieces, quantity }) => `tên ghi ${pieces} cái, còn số lượng là ${quantity}`,
    externalId: 'có thể bị hệ thống từ chối: nên dùng 2 đến 100 chữ không dấu, chữ số và -._$#:',
    cashTenth: ({ total }) => `chỉ bằng một phần mười tổng tiền của đơn, ${dong(total)}`,
    cashAbove: ({ more, total }) => `nhiều hơn tổng tiền của đơn ${dong(more)} (tổng ${dong(total)})`,
    heavy: ({ grams }) => `là ${grouped(grams)} g, tức ${decimal(grams / 1000)} kg: có đúng không?`,
    light: ({ grams }) => `là ${grams} g: có phải ${grams} kg không?`,
    noWeight: 'là 0 g: phí tính như kiện nhẹ nhất, đơn vị vận chuyển có thể thu thêm',
  },
  cancel: {
    subject: ({ order, parcels }) => {
      const facts = [
        ...(order.status === undefined ? [] : [statusOf(order.status) ?? []].flat()),
        ...(order.total === undefined ? [] : [dong(order.total)]),
        ...parcels.map(
          (parcel) =>
            `${parcelCalled(parcel)} ${stateOf(parcel.state)}${parcel.cash > 0 ? `, thu hộ ${dong(parcel.cash)}` : ''}`,
        ),
      ];
      return `${orderCalled(order)}${order.name === undefined ? '' : ` của ${order.name}`}: ${facts.join(', ')}`;
    },
    effect: ({ ending, away, delivery }) => {
      const isOfParcels = away.length > 0 || delivery !== undefined;
      const rest =
        delivery === undefined
          ? away.map(goingOn).join('; ')
          : `phần giao hàng ${statusOf(delivery.status) ?? ''}, ${delivery.isOnItsWay ? 'và đi tiếp' : 'giữ nguyên như vậy'}`;
      const ends = ending.length === 0 ? '' : `, cùng với ${namesOf(ending)}`;
      return `đơn bị hủy${ends}${isOfParcels ? `; ${rest}` : ''}`;
    },
    endsToo: ({ order, ending }) =>
      `không hủy riêng ${orderCalled(order)}: ${namesOf(ending)} chưa được lấy, và sẽ bị hủy theo`,
    goesOn: ({ order, away, delivery }) => {
      const which =
        delivery === undefined ? away.map(standing).join('; ') : `phần giao hàng ${statusOf(delivery.status) ?? ''}`;
      const end = delivery?.isOnItsWay === true ? ', không dừng được nữa' : '';
      return `không hủy ${orderCalled(order)}: ${which}${end}`;
    },
    done: ({ order, isCancelled, parcels, failed }) => {
      const rest = parcels.length > 0 ? parcels.map(goingOn) : failed;
      return `${orderCalled(order)} ${isCancelled ? 'đã hủy, nhưng' : 'chưa hủy:'} ${rest.join('; ')}`;
    },
  },
  notShipped: 'phần giao hàng được lưu cùng đơn, nhưng không gửi gì, kể cả khi đơn được xác nhận',
};
