import { formatMoney } from '../domain/amounts/money.ts';
import type { ReportWords, reportsTexts } from './texts.ts';

/** An amount in a sentence. */
const money = (amount: number) => `${formatMoney(amount)}\u00a0₫`;

const UNSETTLED = 'Các vận đơn chưa hủy mà nền tảng chưa thanh toán (platform_payment_status khác P).';
const CASH =
  'Thu hộ là số tiền ĐVVC đã thu của vận đơn đã giao, số tiền sẽ thu của vận đơn đang giao, và bằng 0 với vận đơn không giao được hoặc đang hoàn.';
const period = { header: 'ngày tạo', meaning: 'Ngày, tuần tính từ thứ Hai, hoặc tháng' };

const parcelColumns = {
  parcels: { header: 'vận đơn', meaning: 'Số vận đơn' },
  cod_parcels: { header: 'có COD', meaning: 'Số vận đơn có thu hộ' },
  other_parcels: { header: 'không COD', meaning: 'Số vận đơn không thu hộ' },
  value: { header: 'giá trị', meaning: 'Tổng tiền các đơn hàng của chúng' },
  cash: { header: 'thu hộ', meaning: 'Tiền thu hộ đã thu hoặc sẽ thu' },
  fees: { header: 'phí', meaning: 'Phí ĐVVC đã tính, hoặc phí báo giá khi ĐVVC chưa tính' },
};

const unreconciled: ReportWords = {
  title: 'Chưa thanh toán',
  definition: [
    UNSETTLED,
    CASH,
    'Giá trị là tổng tiền đơn hàng của từng vận đơn. Phí là phí ĐVVC đã tính, hoặc phí báo giá khi ĐVVC chưa tính.',
    'Vận đơn chưa được lấy hàng không có trong báo cáo này: xem `states`.',
  ].join('\n'),
  columns: {
    stage: { header: 'giai đoạn', meaning: 'Đã giao, không giao được, đã hoàn (hoặc đang hoàn), đang giao' },
    ...parcelColumns,
  },
  chart: 'Vận đơn chưa thanh toán',
};

const states: ReportWords = {
  title: 'Vận đơn đang ở đâu',
  definition: [
    UNSETTLED,
    'Mới: chưa yêu cầu ĐVVC lấy hàng. Đang lấy hàng: chờ ĐVVC đến lấy. Đang giao: ở ĐVVC, hoặc trên đường đến khách. Đã hoàn: đã hoàn hoặc đang hoàn.',
    '"Lấy trễ" là số vận đơn mới hoặc đang lấy hàng đã quá giờ lấy dự kiến, "giao hôm nay" là số vận đơn đang giao (kể cả không giao được) có ngày giao dự kiến là hôm nay. Cả hai đã được đếm ở dòng khác, nên không cộng vào tổng.',
    CASH,
  ].join('\n'),
  columns: { state: { header: 'trạng thái', meaning: 'Vận đơn đang ở đâu' }, ...parcelColumns },
  chart: 'Vận đơn theo trạng thái',
};

const late: ReportWords = {
  title: 'Giao hàng dự kiến',
  definition: [
    `${UNSETTLED} Chỉ tính vận đơn đang ở ĐVVC mà khách chưa nhận: đã lấy hàng, đang giao, không giao được.`,
    'Trễ: đã quá giờ giao dự kiến. Hôm nay: dự kiến giao trong phần còn lại của hôm nay. Các dòng khác là những ngày sau đó, "muộn hơn" là từ ngày thứ bảy trở đi, "chưa rõ" là không có ngày dự kiến. Hiện tại là thời điểm mà bản sao đầy đủ đến đó.',
    CASH,
  ].join('\n'),
  columns: { expected: { header: 'dự kiến', meaning: 'Khi nào vận đơn phải giao xong' }, ...parcelColumns },
  chart: 'Vận đơn theo ngày giao dự kiến',
};

const carriers: ReportWords = {
  title: 'Đơn vị vận chuyển',
  definition: [
    'Vận đơn theo đơn vị vận chuyển (ĐVVC), tính các vận đơn tạo trong khoảng ngày này và chưa hủy.',
    'Tỷ lệ là số vận đơn đã giao trong số đã có kết quả: đã giao, không giao được, đã hoàn hoặc đang hoàn. Thu hộ là tiền đã thu của vận đơn đã giao, phí là phí ĐVVC đã tính.',
    'Số ngày là trung bình từ lúc tạo vận đơn đã giao đến lúc kết thúc. Giao xong nhưng trễ là số vận đơn trong đó kết thúc sau ngày giao dự kiến; đang trễ là số vận đơn khác mà dòng trễ của báo cáo `late` đếm. Phí mỗi vận đơn là phí chia cho số vận đơn đã bị tính phí.',
  ].join('\n'),
  dated: 'vận đơn tạo',
  columns: {
    carrier: { header: 'ĐVVC', meaning: 'Đơn vị vận chuyển; trống nếu hệ thống không ghi' },
    parcels: { header: 'đã tạo', meaning: 'Vận đơn chưa hủy' },
    not_picked_up: { header: 'chưa lấy', meaning: 'ĐVVC chưa có hàng' },
    in_delivery: { header: 'đang giao', meaning: 'Ở ĐVVC, hoặc trên đường đến khách' },
    delivered: { header: 'đã giao', meaning: 'Đã giao' },
    returned: { header: 'đã hoàn', meaning: 'Đã hoàn hoặc đang hoàn' },
    undeliverable: { header: 'không giao được', meaning: 'Bị mất hoặc không giao được' },
    delivered_percent: { header: 'tỷ lệ', meaning: 'Phần đã giao trong số vận đơn đã có kết quả' },
    days: { header: 'ngày', meaning: 'Trung bình từ lúc tạo đến lúc giao; trống nếu chưa giao vận đơn nào' },
    late: { header: 'giao xong nhưng trễ', meaning: 'Giao sau ngày giao dự kiến' },
    late_now: {
      header: 'đang trễ',
      meaning: 'Đang giao hoặc không giao được, chưa đối soát, đã quá ngày giao dự kiến',
    },
    cod_amount: { header: 'thu hộ', meaning: 'Tiền thu hộ đã thu' },
    fees: { header: 'phí', meaning: 'Phí ĐVVC đã tính' },
    fee_each: {
      header: 'phí/vận đơn',
      meaning: 'Phí trên mỗi vận đơn đã bị tính phí, làm tròn xuống; trống nếu không có',
    },
  },
  chart: 'Vận đơn của từng đơn vị vận chuyển',
};

const cod: ReportWords = {
  title: 'Thu hộ (COD)',
  definition: [
    'Vận đơn theo ngày tạo, tính các vận đơn đã giao, không giao được, hoặc đang hoàn. Vận đơn còn đang giao chưa được tính. Số tiền thu trong một ngày, bất kể vận đơn tạo ngày nào, là "đã thu hộ" của lệnh `day`.',
    'Thu hộ là số tiền ĐVVC đã thu của vận đơn đã giao: vận đơn hoàn hoặc không giao được không có tiền. Phí là phí ĐVVC đã tính cho tất cả.',
    '"Đã thanh toán" là nền tảng đã trả (platform_payment_status P); phần còn lại là "còn nợ". "Sau phí" là thu hộ trừ phí, có thể âm khi phí lớn hơn tiền thu hộ.',
    'Tiền bồi hoàn kiện hàng bị mất không có trong dữ liệu của hệ thống, nên không có ở đây.',
  ].join('\n'),
  dated: 'vận đơn tạo',
  columns: {
    period,
    delivered: { header: 'đã giao', meaning: 'Vận đơn đã giao' },
    undeliverable: { header: 'không giao được', meaning: 'Vận đơn bị mất hoặc không giao được' },
    returned: { header: 'đã hoàn', meaning: 'Vận đơn đã hoàn hoặc đang hoàn' },
    cod_amount: { header: 'thu hộ', meaning: 'Tiền thu hộ đã thu' },
    fees: { header: 'phí', meaning: 'Phí ĐVVC đã tính cho các vận đơn này' },
    payout: { header: 'sau phí', meaning: 'Thu hộ trừ phí' },
    settled: { header: 'đã thanh toán', meaning: 'Tiền thu hộ đã được trả' },
    outstanding: { header: 'còn nợ', meaning: 'Tiền thu hộ chưa được trả' },
  },
  chart: 'Thu hộ, đã thanh toán và còn nợ',
};

const sales: ReportWords = {
  title: 'Doanh thu',
  definition: [
    'Đơn hàng theo ngày tạo. Đơn đã hủy (trạng thái N) không được tính, hủy lúc nào cũng vậy; đơn trả hàng (NS) vẫn được tính.',
    'Doanh thu là tổng tiền của các đơn: tiền hàng sau giảm giá, cộng các khoản phí khách trả. Trung bình là doanh thu chia cho số đơn, làm tròn xuống.',
  ].join('\n'),
  dated: 'đơn tạo',
  columns: {
    period,
    orders: { header: 'đơn', meaning: 'Đơn hàng chưa hủy' },
    items: { header: 'sản phẩm', meaning: 'Số sản phẩm trong các đơn đó' },
    revenue: { header: 'doanh thu', meaning: 'Tổng tiền của các đơn' },
    average: { header: 'trung bình', meaning: 'Doanh thu mỗi đơn, làm tròn xuống; trống nếu không có đơn' },
  },
  chart: 'Doanh thu',
};

const products: ReportWords = {
  title: 'Sản phẩm bán ra',
  definition: [
    'Các dòng hàng của đơn tạo trong khoảng ngày này và chưa hủy (trạng thái N), theo sản phẩm và phiên bản; đơn trả hàng (NS) vẫn được tính. Bán nhiều nhất đứng đầu.',
    'Các dòng có cùng phiên bản trong danh mục được gộp lại. Hàng ghi tự do được gộp khi tên và phân loại giống nhau, không kể chữ hoa, dấu và dấu câu, và hiển thị theo cách viết của dòng bán nhiều nhất.',
    'Doanh thu là số lượng nhân với giá phải trả của một sản phẩm. Không gồm giảm giá cả đơn và các khoản phí: xem báo cáo `sales`.',
  ].join('\n'),
  dated: 'đơn tạo',
  columns: {
    product: { header: 'sản phẩm', meaning: 'Tên sản phẩm' },
    variant: { header: 'phân loại', meaning: 'Phân loại như màu, cỡ; nếu không có thì là mã phiên bản' },
    items: { header: 'số lượng', meaning: 'Số sản phẩm đã bán' },
    revenue: { header: 'doanh thu', meaning: 'Số lượng nhân với giá phải trả của một sản phẩm' },
  },
  chart: 'Số lượng đã bán',
};

const customers: ReportWords = {
  title: 'Khách mua nhiều',
  definition: [
    'Các đơn tạo trong khoảng ngày này và chưa hủy (trạng thái N), theo SĐT khách, viết kiểu nào cũng được, hoặc theo tên nếu không có SĐT; đơn trả hàng (NS) vẫn được tính. Mua nhiều nhất đứng đầu.',
    'Khách là người nhận nếu đơn không ghi ai khác. Tên là tên trong đơn mới nhất. Doanh thu là tổng tiền của các đơn.',
  ].join('\n'),
  dated: 'đơn tạo',
  columns: {
    customer: { header: 'khách', meaning: 'Tên khách, theo đơn mới nhất' },
    phone: { header: 'SĐT', meaning: 'Số điện thoại khách' },
    orders: { header: 'số đơn', meaning: 'Số đơn hàng' },
    revenue: { header: 'doanh thu', meaning: 'Tổng tiền của các đơn' },
  },
  chart: 'Doanh thu theo khách',
};

const stock: ReportWords = {
  title: 'Tồn kho',
  definition: [
    'Tồn kho của từng phiên bản chưa xóa, theo lần đồng bộ cuối, và số đã bán trong khoảng ngày này, ở các đơn chưa hủy.',
    'Có thể bán là hàng còn bán được; đã giữ là hàng đã soạn hoặc giữ cho đơn. Còn (ngày) là hàng có thể bán chia cho số bán mỗi ngày, làm tròn xuống; trống nếu không bán cái nào. Hết sớm nhất đứng đầu.',
  ].join('\n'),
  dated: 'đơn tạo',
  columns: {
    code: { header: 'mã', meaning: 'Mã phiên bản' },
    name: { header: 'tên', meaning: 'Tên phiên bản' },
    available: { header: 'có thể bán', meaning: 'Số có thể bán' },
    committed: { header: 'đã giữ', meaning: 'Đã soạn hoặc giữ cho đơn' },
    sold: { header: 'đã bán', meaning: 'Số đã bán trong khoảng ngày này' },
    per_day: { header: 'mỗi ngày', meaning: 'Số bán mỗi ngày trong khoảng ngày này' },
    days_left: { header: 'còn (ngày)', meaning: 'Hàng có thể bán còn đủ bao lâu' },
  },
  chart: 'Số ngày tồn kho còn đủ, ít nhất trước',
};

const course: ReportWords = {
  title: 'Vận đơn theo ngày',
  definition: 'Vận đơn theo ngày tạo, và theo ngày kết thúc.',
  columns: {
    period: { header: 'ngày', meaning: 'Ngày' },
    shipped: { header: 'đã gửi', meaning: 'Vận đơn đã tạo và chưa hủy' },
    quoted: { header: 'báo giá', meaning: 'Phí giao hàng theo báo giá' },
    delivered: { header: 'đã giao', meaning: 'Vận đơn đã giao' },
    returned: { header: 'đã hoàn', meaning: 'Vận đơn hoàn về' },
    cash: { header: 'thu hộ', meaning: 'Tiền thu hộ đã thu' },
  },
  chart: 'Đã giao',
};

export const reportsVietnamese: typeof reportsTexts = {
  report: { unreconciled, states, late, carriers, cod, sales, products, customers, stock, course },
  list: {
    columns: {
      parcel: { header: 'mã vận đơn', meaning: 'Mã vận đơn' },
      recipient: { header: 'người nhận', meaning: 'Người nhận' },
      phone: { header: 'SĐT', meaning: 'Số điện thoại người nhận' },
      state: { header: 'trạng thái', meaning: 'Trạng thái vận đơn' },
      status: { header: 'trạng thái', meaning: 'Trạng thái đơn hàng' },
      carrier: { header: 'ĐVVC', meaning: 'Đơn vị vận chuyển' },
      order: { header: 'mã đơn', meaning: 'Mã đơn của shop, nếu không có thì mã đơn hàng của hệ thống' },
      cash: parcelColumns.cash,
      fees: { header: 'phí', meaning: 'Phí giao hàng theo báo giá' },
      revenue: { header: 'doanh thu', meaning: 'Tổng tiền của đơn' },
    },
    daysHeader: 'ngày',
    days: {
      created_at: 'Số ngày trọn kể từ khi tạo',
      closed_at: 'Số ngày trọn kể từ khi kết thúc',
      estimated_delivery_at: 'Số ngày trọn kể từ ngày giao dự kiến',
      estimated_pickup_at: 'Số ngày trọn kể từ giờ lấy dự kiến',
    },
    lateParcels: 'Vận đơn giao trễ',
    lateDefinition: [
      `${UNSETTLED} Chỉ tính vận đơn đang ở ĐVVC mà khách chưa nhận (đã lấy hàng, đang giao, không giao được) và đã quá ngày giao dự kiến: dòng "trễ" của báo cáo \`late\`. Trễ nhất đứng đầu.`,
      CASH,
    ].join('\n'),
    open: [UNSETTLED, CASH].join('\n'),
    created: 'Vận đơn theo ngày, tính ngày tạo.',
    closed: 'Vận đơn theo ngày, tính ngày kết thúc.',
    orders: 'Đơn hàng tạo trong ngày và chưa hủy (trạng thái N).',
  },
  dated: { parcelsCreated: 'vận đơn tạo', parcelsClosed: 'vận đơn kết thúc', ordersCreated: 'đơn tạo' },
  value: {
    new: 'Mới',
    picking: 'Đang lấy hàng',
    late_pickup: 'Trong đó lấy trễ',
    in_delivery: 'Đang giao',
    due_today: 'Trong đó giao hôm nay',
    delivered: 'Đã giao',
    undeliverable: 'Không giao được',
    returned: 'Đã hoàn',
    default: 'Mới',
    created: 'Chờ lấy hàng',
    confirmed: 'Đã xác nhận',
    processing: 'Đang xử lý',
    holding: 'Đã lấy hàng',
    delivering: 'Đang giao',
    returning: 'Đang hoàn',
    cancelled: 'Đã hủy',
    Z: 'Mới',
    S: 'Đang xử lý',
    P: 'Thành công',
    N: 'Hủy',
    NS: 'Trả hàng',
    late: 'Trễ',
    today: 'Hôm nay',
    tomorrow: 'Ngày mai',
    in_2_days: '2 ngày nữa',
    in_3_days: '3 ngày nữa',
    in_4_days: '4 ngày nữa',
    in_5_days: '5 ngày nữa',
    in_6_days: '6 ngày nữa',
    later: 'Muộn hơn',
    unknown: 'Chưa rõ',
  },
  unit: { orders: 'đơn', parcels: 'vận đơn', items: 'sản phẩm', days: 'ngày' },
  ofNow: ({ figure }) => `${figure} (hiện nay)`,
  figure: {
    'new orders': 'Đơn mới',
    revenue: 'Doanh thu',
    shipped: 'Đã gửi',
    'delivery fees': 'Phí giao hàng',
    delivered: 'Đã giao',
    returned: 'Đã hoàn',
    'cash collected': 'Đã thu hộ',
    'to be picked up': 'Chờ lấy hàng',
    'late pickups': 'Lấy trễ',
    'in delivery': 'Đang giao',
    'due today': 'Giao hôm nay',
    'late deliveries': 'Giao trễ',
    'cash outstanding': 'Thu hộ còn nợ',
  },
  total: 'Tổng',
  none: 'không có',
  span: {
    fresh: ({ moment, zone }) => `dữ liệu đầy đủ đến ${moment} (${zone})`,
    now: ({ fresh }) => `hiện tại, ${fresh}`,
    days: ({ since, until }) => `${since}–${until}`,
    day: ({ day, fresh }) => `${day}, ${fresh}`,
    dated: ({ dated, days, fresh }) => `${dated} ${days}, ${fresh}`,
    copied: ({ what, age }) => `${what}, cập nhật ${age}`,
    renewed: ({ copied, way }) => `${copied}; ${way}`,
  },
  page: {
    nothing: 'Không có gì để hiển thị.',
    leftOut: ({ count, rows, sheet }) =>
      `${formatMoney(count)} dòng đầu trong ${formatMoney(rows)} dòng; xem tất cả: ${sheet}`,
    counts: 'Báo cáo này tính gì',
    columns: 'Các cột',
    reports: 'Báo cáo',
    report: 'Báo cáo',
    glance: 'Tóm tắt',
    days: 'Ngày',
    sheet: 'File Excel',
    large: ({ path, megabytes }) => `${path} có ${megabytes} MB, trình duyệt mở chậm: nên dùng .xlsx`,
    ending: ({ path }) => `báo cáo ghi được vào .html, .xlsx, .csv hoặc .jsonl, không ghi được vào ${path}`,
  },
  notice: {
    neverCopied: ({ areas }) => `${areas} chưa được sao chép đầy đủ, nên báo cáo sẽ sai; chưa ghi gì`,
    copiesFirst: 'chưa chép gì: trước hết chép dữ liệu của shop về máy này',
    and: ({ one, other }) => `${one} và ${other}`,
    age: ({ age }) => `Từ bản sao cập nhật ${age}`,
    within: ({ names }) => `${names.join(', ')}: đã được đếm ở dòng khác, nên không cộng vào tổng`,
    fromRecords: ({ zone }) =>
      `Tổng theo ngày của bản sao không theo múi giờ ${zone}: báo cáo này tính lại từ từng bản ghi, lâu hơn`,
    fees: ({ fees }) => `phí giao hàng ${money(fees)} là báo giá của các vận đơn gửi trong ngày; ĐVVC có thể tính khác`,
    paid: ({ paid, advice }) =>
      `ở đây chỉ tính những gì nền tảng đã thanh toán; các file đối soát đã nhập đã trả ${money(paid)} của phần còn lại; ${advice}`,
    owed: ({ owed, paid, advice }) =>
      `thu hộ còn nợ ${money(owed)} là số nền tảng chưa thanh toán; các file đối soát đã nhập đã trả ${money(paid)} trong số đó; ${advice}`,
  },
  unfit: {
    day: 'phải là một ngày có thật, từ năm 1900 đến 2199, như 2026-11-22 hoặc 22/11/2026',
    now: ({ name }) => `không dùng được: ${name} là báo cáo về hiện tại`,
    listOfNow: ({ name }) => `không dùng được: danh sách ${name} là về hiện tại`,
    by: ({ name }) => `không dùng được: các dòng của ${name} không theo kỳ`,
    width: 'phải từ 40 đến 1000',
    list: ({ names }) => `không dùng được: chỉ ${names} có danh sách`,
    directory: 'thiếu: thư mục cho tất cả báo cáo',
    zone: 'phải là một múi giờ như Asia/Ho_Chi_Minh',
    beforeSince: ({ since }) => `không được trước "since", ${since}`,
  },
  story: {
    substate: {
      pick_fail: 'lấy hàng không thành công',
      delivery_fail: 'giao không thành công',
      devivery_giveup: 'ĐVVC ngừng giao',
      return_fail: 'hoàn không thành công',
      cancelling: 'đang hủy',
    },
    paidFor: {
      cod: 'tiền thu hộ',
      delivery: 'phí giao hàng',
      return: 'phí hoàn hàng',
      redelivery: 'phí giao lại',
      insurance: 'phí bảo hiểm',
      address_change: 'phí đổi địa chỉ',
      discount: 'giảm giá',
      compensation: 'bồi hoàn',
      provisional: 'tạm thu',
      provisional_back: 'hoàn tạm thu',
      debt: 'công nợ phiên trước',
      transfer: 'đã chuyển khoản',
      other: 'phí khác',
      unexplained: 'chưa rõ',
    },
    rowState: { done: 'xong', undone: 'xong, sau đó đã hoàn tác', unclear: 'chưa rõ' },
    created: 'tạo đơn',
    createdFor: ({ buyer }) => `tạo đơn cho ${buyer}`,
    cash: ({ amount }) => `thu hộ ${money(amount)}`,
    paidBefore: ({ amount }) => `đã trả trước ${money(amount)}`,
    amount: ({ amount }) => money(amount),
    confirmed: 'xác nhận',
    cancelled: 'hủy',
    closed: ({ status }) => `kết thúc: ${status}`,
    theParcel: 'vận đơn',
    theOrder: 'đơn hàng',
    fee: ({ amount }) => `phí ${money(amount)}`,
    collected: ({ amount }) => `đã thu hộ ${money(amount)}`,
    parcelCreated: ({ code }) => `tạo ${code}`,
    parcelCancelled: ({ code }) => `hủy ${code}`,
    parcelClosed: ({ code, state }) => `${code} kết thúc: ${state}`,
    notShipped: ({ status }) => `${status}, chưa gửi`,
    is: ({ name, state }) => `${name}: ${state}`,
    since: ({ what, moment }) => `${what}, từ ${moment}`,
    unchanged: ({ what, moment }) => `${what}, không đổi từ ${moment}`,
    row: ({ cell, state }) => `${cell}: ${state}`,
    slip: 'đã in phiếu đóng gói',
    payment: ({ code, kind, amount }) => `${code}: ${kind} ${money(amount)}`,
    noWebhook: 'Chưa có thay đổi nào của đơn đến qua webhook: `shopctl webhooks listen` lưu những gì đến từ bây giờ',
    noPayment: 'Chưa có file đối soát đã nhập nào có vận đơn này',
    paidOut: ({ parcels }) => `Hệ thống ghi tiền của ${parcels} đã được thanh toán`,
    named: ({ name, by, id }) => `${name} là ${by} của ${id}`,
  },
};
