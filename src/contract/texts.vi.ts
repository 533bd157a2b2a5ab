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

const quotedIn = (begin: string) => (begin === '' ? '' : ` ("${begin}")`);

/** What a create makes, by the name of its operation. */
const nouns: Readonly<Record<string, string>> = {
  order: 'đơn hàng',
  customer: 'khách hàng',
  product: 'sản phẩm',
  variant: 'phiên bản',
};
const nounOf = (noun: string) => nouns[noun] ?? 'bản ghi';

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
    cashBelow: ({ less, total }) =>
      `ít hơn tổng tiền của đơn ${dong(less)} (tổng ${dong(total)}): phần còn lại khách đã trả chưa?`,
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
  call: {
    lost: ({ why }) => `đã gửi đi nhưng không nhận được câu trả lời: ${why}`,
    failedHere: 'đã gửi đi, nhưng máy này gặp lỗi trước khi đọc câu trả lời',
    doubted: ({ why }) => `một lần bị từ chối vẫn có thể đã được thực hiện, và lần sau bị lỗi: ${why}`,
    cancelled: 'dừng trước khi gửi đi',
  },
  answer: {
    empty: ({ status }) => `hệ thống trả lời ${status} mà không có nội dung`,
    compressed: ({ status, encoding }) =>
      `hệ thống trả lời ${status} ở dạng nén (content-encoding: ${encoding}), không phải như đã yêu cầu`,
    brokenJson: ({ status }) => `hệ thống trả lời ${status} bằng JSON bị hỏng`,
    page: ({ status, begin }) =>
      `hệ thống trả lời ${status} bằng một trang web${quotedIn(begin)}: có proxy ở giữa không?`,
    noJson: ({ status, type, begin }) =>
      `hệ thống trả lời ${status} ${type === undefined ? 'không ghi loại nội dung' : `bằng ${type}`}, không phải JSON${quotedIn(begin)}`,
    tooDeep: ({ status, levels }) => `hệ thống trả lời ${status} bằng JSON lồng nhau quá ${levels} cấp`,
    tooMany: ({ status, values }) => `hệ thống trả lời ${status} bằng JSON có hơn ${grouped(values)} giá trị`,
    redirect: ({ status, target }) =>
      `hệ thống trả lời ${status}, chuyển hướng đến ${target ?? 'đường dẫn khác'}, không đi theo`,
    otherAddress: 'địa chỉ (base url) có lẽ không phải của chính hệ thống',
    accepted: 'hệ thống trả lời 202: đã nhận yêu cầu, chưa thực hiện',
    tooManyCalls: 'hệ thống từ chối: gửi quá nhiều yêu cầu',
    unlike: ({ path, what }) =>
      `câu trả lời của hệ thống không đúng đặc tả: ${path === '' ? 'nội dung' : path} ${what}`,
    ofAnother: ({ by }) => `câu trả lời không phải về bản ghi được hỏi: ${by} khác hoặc bị thiếu`,
    endless: ({ pages, direction, cursor }) =>
      `danh sách chưa hết sau ${grouped(pages)} trang; còn tiếp (${direction} ${cursor})`,
    longCursor: ({ most }) => `con trỏ trang của danh sách dài hơn ${grouped(most)} ký tự`,
  },
  drift: {
    none: 'Mọi câu trả lời đều đúng đặc tả.',
    noSuch: ({ id }) => `Không có mục ${id}; có thể đã được xóa.`,
  },
  doubt: {
    foreign: 'câu trả lời không phải của thao tác này',
    ofAnother: 'câu trả lời nói về bản ghi khác',
    namesNone: 'câu trả lời không có bản ghi nào',
    withoutName: 'câu trả lời có id, nhưng không có external_id đã gửi',
    withoutContent: 'câu trả lời có id, nhưng không có những gì đã gửi',
    aboutNone: 'câu trả lời không nói về bản ghi nào',
    notEnded: 'câu trả lời có một bản ghi chưa kết thúc',
    noCount: 'câu trả lời không cho biết đã đổi bao nhiêu',
    halfDone: 'câu trả lời cho biết đơn chưa được xác nhận, cũng chưa được gửi giao',
  },
  fate: {
    lost: 'không nhận được câu trả lời',
    answerLost: ({ noun }) => `không nhận được câu trả lời khi tạo ${nounOf(noun)}`,
    answered: ({ noun, status, seconds }) =>
      `hệ thống trả lời ${status} khi tạo ${nounOf(noun)}${seconds === 0 ? '' : `, yêu cầu chờ ${seconds} giây`}`,
    notWaited: ({ noun }) => `không chờ câu trả lời khi tạo ${nounOf(noun)} nữa`,
    taken: ({ noun, why }) => `một giá trị của ${nounOf(noun)} đã có bản ghi khác dùng, và không tra được: ${why}`,
    notLookedUp: ({ fate, why }) => `${fate}, và không tra được: ${why}`,
    nothingProved: ({ fate }) => `${fate}: câu trả lời có id mà không có external_id, đọc lại cũng chưa rõ`,
    another: ({ fate }) => `${fate}: tra lại ra bản ghi khác`,
    equalEnded: ({ fate }) => `${fate}: external_id là của một đơn y như vậy, đã kết thúc và kiện hàng đã gửi`,
    differs: ({ fate, difference }) => `${fate}: external_id là của bản ghi khác ở ${difference}`,
    nameTaken: ({ fate, name }) => `${fate}: ${name} đã được dùng, nhưng không tìm thấy bản ghi`,
    nothingYet: ({ fate }) => `${fate}: tra lại chưa thấy gì`,
    foundEnded: ({ fate }) => `${fate}: bản ghi tìm thấy đã hủy hoặc đã hoàn`,
    foundHalfDone: ({ fate }) => `${fate}: bản ghi tìm thấy chưa được xác nhận, cũng chưa được gửi giao`,
    refusedAgain: ({ fate, why }) => `${fate}: thử lại thì bị từ chối: ${why}`,
    notShipped: ({ name }) => `đơn ${name} đã được tạo trước đây, nhưng chưa được xác nhận, cũng chưa được gửi giao`,
    over: 'một lần chạy trước đã tạo, và từ đó đã hủy hoặc đã hoàn',
    earlierRun: 'một lần chạy trước đã gửi mà không nhận được câu trả lời',
  },
  address: {
    none: 'địa chỉ (base url) không phải url',
    unsafe: ({ url }) => `địa chỉ (base url) cần là https, hoặc của chính máy này: ${url}`,
    more: 'địa chỉ (base url) không được có tên người dùng, phần ? hoặc phần #',
  },
  key: {
    names: {
      'partner-api-key': 'API key của đối tác',
      'shop-key': 'shop key',
      'shop-api-key': 'API key riêng của shop',
    },
    needed: ({ name }) => `cần ${name} mà chưa có`,
    elsewhere: ({ home, origin }) => `key đã lưu là của ${home}, không gửi đến ${origin}`,
    inQuotes: ({ name }) => `${name} nằm trong dấu nháy, dấu nháy bị coi là một phần của key: bỏ đi`,
    malformed: ({ name }) => `${name} có dấu cách, xuống dòng hoặc ký tự khác không gửi đi được`,
    shopNotSignedIn: ({ shop }) => `shop ${shop} chưa đăng nhập ở đây`,
    noShopSignedIn: ({ shop }) => `chưa có shop nào đăng nhập với tên ${JSON.stringify(shop)}`,
    noShopCalled: ({ shop }) => `ở đây không có shop nào tên ${shop}`,
    ofNobody: ({ shop }) => `key không cho biết là của ai, mà lệnh cần ${shop}: chưa gửi gì`,
    ofOther: ({ owner, shop }) => `key là của ${owner}, mà lệnh cần ${shop}: chưa gửi gì`,
    otherProfile: ({ variable, given, profile, own }) =>
      `${variable} là của ${given}, còn profile ${profile} là của ${own.join(', ')}: chưa gửi gì`,
    ofAllShops: ({ what, shop }) => `${what}, mà lệnh chỉ cần ${shop}: chưa làm gì`,
    ofOtherShop: ({ what, shop, owner }) =>
      `${what} là của shop khác, không phải ${shop}${owner === null ? '' : `: ${owner}`}`,
    ofPartner: ({ shop }) => `key riêng của đối tác dùng cho mọi shop, mà lệnh chỉ cần ${shop}: chưa gửi gì`,
    noProfile: ({ profile }) => `không có profile ${JSON.stringify(profile)}`,
    noService: 'chưa có hệ thống nào',
  },
};
