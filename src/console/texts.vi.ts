import { labelVietnamese } from '../contract/labels.vi.ts';
import type { consoleTexts } from './texts.ts';

const capital = (words: string) => words.charAt(0).toUpperCase() + words.slice(1);

const screens: Readonly<Record<string, string>> = {
  day: 'Hôm nay',
  orders: 'Đơn hàng',
  fulfillments: 'Vận đơn',
  customers: 'Khách hàng',
  products: 'Sản phẩm',
  variants: 'Phiên bản',
  inventory: 'Tồn kho',
  batch: 'Đợt gửi',
  events: 'Sự kiện',
  report: 'Báo cáo',
  cod: 'Thu hộ (COD)',
  sandbox: 'Sandbox',
  account: 'Tài khoản',
  addresses: 'Địa chỉ',
  collections: 'Bộ sưu tập',
  drift: 'Sai khác với đặc tả',
  groups: 'Nhóm khách hàng',
  history: 'Lịch sử',
  ledger: 'Sổ gửi',
  locations: 'Tỉnh, huyện, xã',
  mirror: 'Bản sao',
  service: 'Hệ thống',
  shipnow: 'Giao ngay',
  shipping: 'Giao hàng',
  webhooks: 'Webhook',
};

/** What actions do, by their English summaries. */
const summaries: Readonly<Record<string, string>> = {
  'List carrier offers for a parcel': 'Xem báo giá của các ĐVVC cho một kiện hàng',
  'Show a shipment': 'Xem một vận đơn',
  'Show an order with its shipments': 'Xem một đơn hàng và các vận đơn',
  'Create an order, confirm it and hand it to its carrier': 'Tạo đơn hàng, xác nhận và giao cho ĐVVC',
  'Cancel an order and its shipments': 'Hủy một đơn hàng và các vận đơn',
  'Show what a batch would do with each row of a sheet, and what it costs':
    'Xem đợt gửi sẽ làm gì với từng dòng của trang tính, và tốn bao nhiêu',
  'Run a command for each row of a sheet, each exactly once':
    'Chạy một lệnh cho từng dòng của trang tính, mỗi dòng đúng một lần',
  'Continue a batch that was stopped': 'Tiếp tục một đợt gửi đã dừng',
  'Retry the failed rows of a batch': 'Thử lại các dòng lỗi của một đợt gửi',
  'Record whether an unclear row was done': 'Ghi nhận một dòng chưa rõ đã được thực hiện hay chưa',
  'List batches, newest first': 'Danh sách đợt gửi, mới nhất trước',
  'Show the progress of a batch': 'Xem tiến độ của một đợt gửi',
  'List the rows of a batch in the order of the file': 'Danh sách dòng của một đợt gửi theo thứ tự trong file',
  'Find the rows of batches with a name, or that created or changed a record':
    'Tìm các dòng của đợt gửi theo tên, hoặc đã tạo hay sửa một bản ghi',
  'Write the sheet with the result of each row': 'Ghi trang tính kèm kết quả của từng dòng',
  'Undo what a batch created or changed': 'Hoàn tác những gì một đợt gửi đã tạo hoặc sửa',
  "Remove a batch's stored data, personal data included": 'Xóa dữ liệu đã lưu của một đợt gửi, gồm cả dữ liệu cá nhân',
  'List orders': 'Danh sách đơn hàng',
  'Create an order': 'Tạo một đơn hàng',
  'Confirm an order': 'Xác nhận một đơn hàng',
  'Tell what happened to an order, one line an event': 'Kể lại diễn biến của một đơn hàng, mỗi sự kiện một dòng',
  'List shipments': 'Danh sách vận đơn',
  'List offers for an on-demand delivery': 'Xem báo giá giao ngay',
  'Show an on-demand delivery': 'Xem một chuyến giao ngay',
  'Request an on-demand delivery': 'Đặt một chuyến giao ngay',
  'Cancel an on-demand delivery': 'Hủy một chuyến giao ngay',
  'List customers': 'Danh sách khách hàng',
  'Show a customer': 'Xem một khách hàng',
  'Create a customer': 'Tạo một khách hàng',
  'Update a customer': 'Sửa một khách hàng',
  'Delete a customer': 'Xóa một khách hàng',
  'List addresses of customers': 'Danh sách địa chỉ của khách hàng',
  'Show an address': 'Xem một địa chỉ',
  'Create an address of a customer': 'Tạo một địa chỉ của khách hàng',
  'Update an address': 'Sửa một địa chỉ',
  'Delete an address': 'Xóa một địa chỉ',
  'List groups of customers': 'Danh sách nhóm khách hàng',
  'Show a group': 'Xem một nhóm',
  'Create a group of customers': 'Tạo một nhóm khách hàng',
  'Update a group': 'Sửa một nhóm',
  'Delete a group': 'Xóa một nhóm',
  'List the customers of groups, or the groups of customers': 'Danh sách khách hàng của nhóm, hoặc nhóm của khách hàng',
  'Add a customer to a group': 'Thêm khách hàng vào nhóm',
  'Remove a customer from a group': 'Bỏ khách hàng khỏi nhóm',
  'List products': 'Danh sách sản phẩm',
  'Show a product with its variants': 'Xem một sản phẩm và các phiên bản',
  'Create a product': 'Tạo một sản phẩm',
  'Update a product': 'Sửa một sản phẩm',
  'Delete a product': 'Xóa một sản phẩm',
  'List variants': 'Danh sách phiên bản',
  'Show a variant': 'Xem một phiên bản',
  'Create a variant of a product': 'Tạo một phiên bản của sản phẩm',
  'Update a variant': 'Sửa một phiên bản',
  'Delete a variant': 'Xóa một phiên bản',
  'List collections of products': 'Danh sách bộ sưu tập',
  'Show a collection': 'Xem một bộ sưu tập',
  'Create a collection of products': 'Tạo một bộ sưu tập',
  'Update a collection': 'Sửa một bộ sưu tập',
  'Delete a collection': 'Xóa một bộ sưu tập',
  'List the products of collections, or the collections of products':
    'Danh sách sản phẩm của bộ sưu tập, hoặc bộ sưu tập của sản phẩm',
  'Add a product to a collection': 'Thêm sản phẩm vào bộ sưu tập',
  'Remove a product from a collection': 'Bỏ sản phẩm khỏi bộ sưu tập',
  'List the stock of variants': 'Tồn kho của các phiên bản',
  'List the webhooks and the state of their deliveries': 'Danh sách webhook và tình trạng gửi',
  'Create a webhook: changes are sent to its url': 'Tạo webhook: thay đổi được gửi đến địa chỉ của webhook',
  'Stop sending changes to a webhook': 'Ngừng gửi thay đổi đến một webhook',
  'Show the state of webhooks and targets': 'Tình trạng của webhook và các đích',
  'Replace webhooks that the service has stopped': 'Thay các webhook mà hệ thống đã dừng',
  'List the changes that were received': 'Danh sách thay đổi đã nhận',
  'Show a received change in full': 'Xem đầy đủ một thay đổi đã nhận',
  'Forward stored changes again, in order': 'Chuyển tiếp lại các thay đổi đã lưu, theo thứ tự',
  'Show the targets, and how far each is behind': 'Các đích, và mỗi đích còn chậm bao nhiêu',
  'Pause forwarding to a target': 'Tạm dừng chuyển tiếp đến một đích',
  'Resume forwarding to a target where it stopped': 'Tiếp tục chuyển tiếp đến một đích từ chỗ đã dừng',
  'Retry now everything that is waiting or has failed for a target':
    'Thử lại ngay mọi thay đổi đang chờ hoặc bị lỗi của một đích',
  'Remove a target, and the changes that it has not accepted': 'Xóa một đích, và các thay đổi mà đích chưa nhận',
  'Show how fresh the mirror is': 'Xem bản sao mới đến đâu',
  'Compare the mirror with the service, record by record': 'So bản sao với hệ thống, từng bản ghi',
  'List the tables and views of the mirror': 'Danh sách bảng của bản sao',
  'Import payment files of carriers': 'Nhập file đối soát của ĐVVC',
  'List the payment files that were imported, newest first': 'Danh sách file đối soát đã nhập, mới nhất trước',
  'Show every payment line of a file or of a parcel': 'Xem mọi khoản tiền của một file hoặc một vận đơn',
  'Delete an imported payment file and its lines': 'Xóa một file đối soát đã nhập và các khoản của file',
  'Compare what carriers paid with the parcels, each in one class':
    'Đối soát tiền ĐVVC đã trả với các vận đơn, mỗi vận đơn một loại',
  'Close a payment session: record that its sums were agreed to, by whom and when':
    'Chốt một phiên đối soát: ghi lại các khoản tổng đã được ai đồng ý, và khi nào',
  'Show the day on one screen': 'Xem cả ngày trên một màn hình',
  'Report on sales, customers, parcels, carriers, cash and stock':
    'Báo cáo doanh thu, khách mua, vận đơn, ĐVVC, thu hộ và tồn kho',
  'List the writes whose outcome is unknown': 'Danh sách lệnh ghi chưa rõ kết quả',
  'Show a write whose outcome is unknown': 'Xem một lệnh ghi chưa rõ kết quả',
  'Record the outcome of an unclear write': 'Ghi nhận kết quả của một lệnh ghi chưa rõ',
  'List the sandboxes and whether they run': 'Danh sách sandbox và có đang chạy không',
  'Sign a shop in with a request token, as its owner would': 'Đăng nhập một shop bằng mã yêu cầu, như chủ shop',
  'Unlink a shop from its partners, which revokes their keys': 'Gỡ shop khỏi các đối tác, key của họ bị thu hồi',
  'Move a shipment as its carrier would, and emit its changes':
    'Chuyển trạng thái vận đơn như ĐVVC, và phát các thay đổi',
  'Show the business clock and the next scheduled event': 'Xem đồng hồ nghiệp vụ và sự kiện hẹn giờ tiếp theo',
  'Freeze the business clock': 'Dừng đồng hồ nghiệp vụ',
  'Set the business clock': 'Đặt đồng hồ nghiệp vụ',
  'Advance the business clock: retries, expiry and shipments follow it':
    'Cho đồng hồ nghiệp vụ chạy tới: lần thử lại, hết hạn và vận đơn theo đó',
  "Return the business clock to the machine's time": 'Đưa đồng hồ nghiệp vụ về giờ của máy',
  'Script a fault: which calls it affects, and how they fail': 'Cài một lỗi giả lập: lượt gọi nào, lỗi ra sao',
  'List the scripted faults and how often each was applied': 'Danh sách lỗi giả lập và mỗi lỗi đã xảy ra mấy lần',
  'Remove one fault, or all of them': 'Xóa một lỗi giả lập, hoặc tất cả',
  'Show the attempts to deliver changes to webhooks, the newest first':
    'Các lần gửi thay đổi đến webhook, mới nhất trước',
  'Resend a delivery under a new callback id': 'Gửi lại một lần gửi với mã callback mới',
  'Save the current data as a snapshot': 'Lưu dữ liệu hiện tại thành bản chụp',
  'Restore the data and the business clock from a snapshot': 'Khôi phục dữ liệu và đồng hồ nghiệp vụ từ bản chụp',
  'List the snapshots': 'Danh sách bản chụp',
  'Remove a snapshot': 'Xóa một bản chụp',
  'Reset the data to what the sandbox started with; accounts and keys stay':
    'Đưa dữ liệu về lúc sandbox bắt đầu; tài khoản và key giữ nguyên',
  'Show the requests that the sandbox received, keys redacted': 'Các yêu cầu mà sandbox đã nhận, key được che',
  'Show the account that the key belongs to': 'Xem tài khoản của key này',
  'List the provinces, districts and wards that the service knows': 'Danh sách tỉnh, huyện, xã mà hệ thống biết',
  'Show which version of the service answers': 'Xem phiên bản của hệ thống',
  'Show the form of a webhook delivery': 'Xem dạng của một lần gửi webhook',
  'List how answers of the service differed from the contract': 'Danh sách trả lời của hệ thống khác đặc tả',
  'Show one finding': 'Xem một sai khác',
};

/** Explanations of actions and of fields, by the English ones. */
const explanations: Readonly<Record<string, string>> = {
  'The carrier, code and fee of the chosen offer go into the order.':
    'ĐVVC, mã và phí của báo giá đã chọn được ghi vào đơn hàng.',
  'Where the parcel is picked up': 'Nơi lấy hàng',
  'Province or city; prefix, abbreviation and diacritics are optional':
    'Tỉnh/thành phố; bỏ chữ "tỉnh", viết tắt hay không dấu đều được',
  'District; prefix, abbreviation and diacritics are optional':
    'Quận/huyện (cũ); bỏ chữ "quận", viết tắt hay không dấu đều được',
  'Ward; prefix, abbreviation and diacritics are optional':
    'Phường/xã; bỏ chữ "phường", viết tắt hay không dấu đều được',
  'Where the parcel goes': 'Nơi giao hàng',
  'Weight that is charged for; the greater of gross and volumetric weight when absent':
    'Khối lượng tính phí; để trống thì lấy số lớn hơn giữa khối lượng thực và khối lượng quy đổi',
  'Actual weight': 'Khối lượng thực',
  'Length of the parcel': 'Chiều dài kiện hàng',
  'Width of the parcel': 'Chiều rộng kiện hàng',
  'Height of the parcel': 'Chiều cao kiện hàng',
  'Value of the goods; the basis of the insurance fee': 'Giá trị hàng hóa; phí bảo hiểm tính theo số này',
  'Cash to collect from the buyer; some carriers charge for it':
    'Tiền thu hộ (COD) từ khách; một số ĐVVC tính phí thu hộ',
  'Whether the parcel is insured; absent means yes': 'Có bảo hiểm kiện hàng hay không; để trống là có',
  'how many in all': 'số lượng tối đa',
  'only records with these whole words in a name or an address, at the start of a code, or, from six digits on, in a phone; diacritics and marks do not matter':
    'chỉ bản ghi có đủ các từ này (đúng cả từ) trong tên hoặc địa chỉ, ở đầu mã, hoặc trong số điện thoại nếu từ sáu số trở lên; không phân biệt có dấu hay không dấu, cũng không tính dấu câu',
  'Connections to the carriers that are asked; all when absent': 'Các kết nối ĐVVC cần hỏi giá; để trống là tất cả',
  'Id of a connection': 'Id của một kết nối',
  'Id of the shipment': 'Id của vận đơn',
  "The carrier's code of the parcel": 'Mã vận đơn của ĐVVC',
  "Id of the shipment in the caller's system": 'Id của vận đơn trong hệ thống bên ngoài',
  'Id of the order': 'Id của đơn hàng',
  'Code of the order': 'Mã đơn hàng',
  "Id of the order in the caller's system": 'Id của đơn hàng trong hệ thống bên ngoài',
  'Costs money and moves a parcel. The service code and fee must be those of a quote.':
    'Tốn tiền và có kiện hàng đi thật. Mã dịch vụ và phí phải đúng theo một báo giá.',
  'Address of the customer': 'Địa chỉ khách hàng',
  'Full name of the person': 'Họ tên đầy đủ',
  'Phone number': 'Số điện thoại',
  'Street address, first line': 'Số nhà, tên đường, dòng thứ nhất',
  'Email address': 'Địa chỉ email',
  Company: 'Công ty',
  'Street address, second line': 'Số nhà, tên đường, dòng thứ hai',
  'What is sold; variants of one product are lines of their own':
    'Hàng bán; mỗi phiên bản của một sản phẩm là một dòng riêng',
  'Name of the product': 'Tên sản phẩm',
  'Number of items': 'Số lượng',
  'Price of one item before discount; the basis of the insurance':
    'Giá một sản phẩm trước khi giảm; bảo hiểm tính theo giá này',
  'Price payable for one item after its discount': 'Giá phải trả cho một sản phẩm sau khi giảm',
  'Price printed on the packaging': 'Giá in trên bao bì',
  'URL of a picture': 'URL của ảnh',
  'Traits that tell the variant': 'Phân loại để biết là phiên bản nào',
  'Name of the attribute, for example Colour': 'Tên phân loại, ví dụ Màu',
  'Its value, for example blue': 'Giá trị của phân loại, ví dụ xanh',
  'Id of the product': 'Id của sản phẩm',
  'Id of the variant': 'Id của phiên bản',
  'How it is shipped, with the service chosen from a quote': 'Cách giao, với dịch vụ giao hàng chọn từ một báo giá',
  'Code of the chosen service, as quoted': 'Mã dịch vụ giao hàng đã chọn, theo báo giá',
  'What the shop pays for the delivery, as quoted': 'Phí giao hàng shop trả, theo báo giá',
  'What the buyer may do before paying: none, open (inspect) or try (try on)':
    'Khách được làm gì trước khi trả tiền: none (không cho xem hàng), open (cho xem hàng không thử) hoặc try (cho thử hàng)',
  'Where it returns to; the pickup address when absent': 'Nơi nhận hàng hoàn; để trống thì là địa chỉ lấy hàng',
  'Name of the chosen service': 'Tên dịch vụ giao hàng đã chọn',
  'Carrier of the chosen service, as quoted; replaced by connection_id':
    'ĐVVC của dịch vụ đã chọn, theo báo giá; nay thay bằng connection_id',
  'Connection to the carrier': 'Kết nối đến ĐVVC',
  'Whether the parcel is insured for its basket value; absent means yes':
    'Có bảo hiểm kiện hàng theo giá trị hàng hay không; để trống là có',
  'Note for the carrier': 'Ghi chú cho ĐVVC',
  'Cash that the carrier collects from the buyer': 'Tiền ĐVVC thu hộ (COD) từ khách',
  'The greater of gross and volumetric weight; worked out when absent':
    'Số lớn hơn giữa khối lượng thực và khối lượng quy đổi; để trống thì tự tính',
  "Id of the order in the caller's system, unique there":
    'Id của đơn hàng trong hệ thống bên ngoài, không trùng trong hệ thống đó',
  'Code of the order in the shop, unique there; shown in preference to external_id':
    'Mã đơn của shop, không trùng trong shop; khi hiển thị được ưu tiên hơn external_id',
  "URL of the order in the caller's system": 'URL của đơn hàng trong hệ thống bên ngoài',
  'Any data of the caller, stored with the order': 'Dữ liệu tùy ý của hệ thống bên ngoài, lưu cùng đơn hàng',
  'Sum of the quantities of the lines': 'Tổng số lượng của các dòng hàng',
  'Sum over the lines of quantity * retail_price, without fees and discounts':
    'Tổng quantity * retail_price của các dòng hàng, chưa tính phí và giảm giá',
  'Discount on the whole order, beside the discounts of its lines':
    'Giảm giá cho cả đơn, ngoài phần giảm của từng dòng hàng',
  'Sum over the lines of quantity * (retail_price - payment_price), plus order_discount':
    'Tổng quantity * (retail_price - payment_price) của các dòng hàng, cộng order_discount',
  'Sum of the amounts of the fee lines': 'Tổng các khoản phí',
  'Fees charged to the buyer': 'Các khoản phí tính cho khách',
  'Kind of the fee: shipping is the delivery fee that the shop charges the buyer':
    'Loại phí: shipping là phí giao hàng tính cho khách',
  'Name of the fee': 'Tên khoản phí',
  'Code of the fee, free text': 'Mã khoản phí, ghi tự do',
  'Description of the fee': 'Mô tả khoản phí',
  'Amount of the fee': 'Số tiền của khoản phí',
  'basket_value - total_discount + total_fee': 'basket_value - total_discount + total_fee',
  'Note on the order': 'Ghi chú đơn hàng',
  'create another one, even if an equal one was or may have been created':
    'tạo thêm một bản ghi nữa, dù đã có hoặc có thể đã có bản ghi giống hệt',
  'The order is read first: one whose parcel was picked up is left as it is unless only the order is to be cancelled, since nothing stops the parcel and its cash.':
    'Đơn hàng được đọc trước: nếu kiện hàng đã được lấy thì đơn giữ nguyên, trừ khi chỉ hủy đơn hàng, vì kiện hàng và tiền thu hộ không dừng được nữa.',
  'Why it is cancelled': 'Lý do hủy',
  'cancel the order although its parcel was picked up: the parcel goes on, and so does its cash; refused where the parcel was not picked up, as it would be cancelled too':
    'hủy đơn hàng dù kiện hàng đã được lấy: kiện hàng vẫn đi tiếp, tiền vẫn được thu hộ; nếu kiện hàng chưa được lấy thì bị từ chối, vì vận đơn cũng sẽ bị hủy theo',
  'Every row is read, checked and, if it ships something, quoted: the first rows and those with warnings are listed with recipient, phone, address, goods, cash, fee, carrier and delivery. Nothing is written at the service, and no batch is stored.':
    'Từng dòng được đọc, kiểm tra và báo giá nếu là dòng gửi hàng: các dòng đầu và các dòng có cảnh báo được liệt kê kèm người nhận, số điện thoại, địa chỉ, hàng, tiền thu hộ, phí, ĐVVC và ngày giao. Không ghi gì lên hệ thống, không lưu đợt gửi nào.',
  'the file: csv, tsv, xlsx, json, jsonl or yaml; - for stdin':
    'file cần đọc: csv, tsv, xlsx, json, jsonl hoặc yaml; - là stdin',
  'the command to run for each row: ship, or a command that writes, such as "customers update"':
    'lệnh chạy cho từng dòng: ship, hoặc một lệnh ghi như "customers update"',
  'which offer to choose for a parcel: cheapest, fastest, best-value, or the code of a service; cheapest when absent':
    'chọn báo giá nào cho một kiện hàng: cheapest (rẻ nhất), fastest (nhanh nhất), best-value (đáng tiền nhất), hoặc mã của một dịch vụ giao hàng; để trống là cheapest',
  'a carrier that may be chosen; may be given several times': 'một ĐVVC được phép chọn; có thể nhập nhiều lần',
  'a carrier': 'một ĐVVC',
  'leave out offers that deliver later: a day, or a time with a zone':
    'bỏ qua báo giá giao sau thời điểm này: một ngày, hoặc một giờ kèm múi giờ',
  'refuse an offer for a row that costs more': 'không nhận báo giá cao hơn mức này cho một dòng',
  'refuse rows that would make the batch cost more': 'không nhận các dòng làm tổng phí của đợt gửi vượt mức này',
  'what a blank cell does to a field in an update: keep leaves the field, clears empties it':
    'khi sửa bản ghi, ô trống làm gì với trường: keep là giữ nguyên, clears là xóa giá trị',
  'format of the file, if its name does not show it': 'định dạng của file, nếu tên file không cho biết',
  'name of the sheet; asked for if several have rows below a known header; hidden ones are read only so':
    'tên trang tính; sẽ hỏi nếu nhiều trang tính có dòng dưới một tiêu đề nhận ra được; trang tính ẩn chỉ được đọc khi ghi tên ở đây',
  'read all sheets with rows below a known header; they need the same columns':
    'đọc mọi trang tính có dòng dưới một tiêu đề nhận ra được; các trang tính phải có cùng các cột',
  'the row of the sheet that names the columns; found when absent':
    'dòng chứa tên các cột trong trang tính; để trống thì tự tìm',
  'how to read the columns: the name of a saved mapping, or a mapping file':
    'cách đọc các cột: tên một bảng ghép cột đã lưu, hoặc một file ghép cột',
  'leave out columns of money that the layout does not know; asked when absent':
    'bỏ qua các cột tiền mà mẫu không biết; để trống thì được hỏi',
  'leave out columns that match no field, and new columns of an export':
    'bỏ qua các cột không khớp trường nào, và các cột mới của file xuất',
  'what to do with hidden rows, for example those that a filter hides; asked when absent':
    'làm gì với các dòng ẩn, ví dụ bị bộ lọc ẩn đi; để trống thì sẽ hỏi',
  'what to do with rows that have a cell struck through which is read; asked when absent':
    'làm gì với các dòng có ô bị gạch ngang trong số các ô cần đọc; để trống thì sẽ hỏi',
  'whether a row that equals the one above it, with the same code, counts; asked when absent':
    'dòng giống hệt dòng trên và cùng mã có được tính hay không; để trống thì sẽ hỏi',
  'whether equal cash on several rows of an order is collected once, or for each row; asked when absent':
    'nhiều dòng của một đơn ghi cùng số tiền thu hộ thì thu một lần hay thu theo từng dòng; để trống thì sẽ hỏi',
  'whether rows without a code that repeat the recipient of the row above are of one order; asked when absent':
    'các dòng không có mã, lặp lại người nhận của dòng trên, có thuộc cùng một đơn hay không; để trống thì sẽ hỏi',
  'what is collected where the cash is blank beside cells with cash: the total of the order, or nothing; asked when absent':
    'ô thu hộ để trống, trong khi các ô khác có tiền, thì thu tổng tiền của đơn hay không thu; để trống thì sẽ hỏi',
  'whether the quantity counts where goods name other pieces ("Áo x2"), or such cells are invalid; asked when absent':
    'tên hàng ghi số cái khác với số lượng ("Áo x2") thì tính theo số lượng hay ô đó không dùng được; để trống thì sẽ hỏi',
  'whether orders with this word of status, or this note, are sent; may be given several times; asked when absent':
    'có gửi các đơn ghi trạng thái này hoặc ghi chú này hay không; có thể nhập nhiều lần; để trống thì sẽ hỏi',
  'WORD=ship or WORD=skip; =ship and =skip for a blank cell': 'TỪ=ship hoặc TỪ=skip; ô trống thì ghi =ship hoặc =skip',
  'whether orders that have a tracking code or a mark of dispatch already are sent; asked when absent':
    'có gửi các đơn đã có mã vận đơn hoặc đã đánh dấu là gửi rồi hay không; để trống thì sẽ hỏi',
  'whether orders with this word of payment collect cash; may be given several times; asked when absent':
    'có thu hộ các đơn ghi thanh toán như thế này hay không; có thể nhập nhiều lần; để trống thì sẽ hỏi',
  'WORD=cash or WORD=paid; =cash and =paid for a blank cell': 'TỪ=cash hoặc TỪ=paid; ô trống thì ghi =cash hoặc =paid',
  'what small amounts are counted in; asked when absent': 'các số tiền nhỏ tính theo đơn vị nào; để trống thì sẽ hỏi',
  'what a ward of 2025 without a district is: the former one of its name, or an invalid cell; asked when absent':
    'phường/xã mới (2025) không ghi quận/huyện (cũ) thì hiểu là gì: phường/xã cũ cùng tên, hay ô sai; để trống thì sẽ hỏi',
  'leave out rows with invalid cells, instead of sending nothing':
    'bỏ qua các dòng có ô sai, thay vì không gửi dòng nào',
  'a batch that already sent rows of this file: equal rows are not sent again':
    'đợt gửi đã gửi một số dòng của file này: dòng giống hệt thì không gửi nữa',
  'send rows that an earlier batch sent again, as new records':
    'gửi thêm lần nữa các dòng mà đợt gửi trước đã gửi, thành bản ghi mới',
  'send orders again that have ended since they were sent, which are left out otherwise; one whose parcel travels on only by its name; may be given several times':
    'gửi lại các đơn đã kết thúc sau khi gửi, nếu không thì các đơn này bị bỏ qua; đơn có kiện hàng còn đi tiếp thì phải ghi đúng tên đơn; có thể nhập nhiều lần',
  'undone, cancelled, returned or undeliverable, or the name of an order':
    'undone, cancelled, returned hoặc undeliverable, hoặc tên của một đơn hàng',
  'how long the service may be unreachable before planning stops, for example 30s (the default) or 10m':
    'mất kết nối với hệ thống bao lâu thì dừng lập bảng dự kiến, ví dụ 30s (mặc định) hoặc 10m',
  'say what insurance costs: insured parcels are quoted once more, without it':
    'cho biết bảo hiểm tốn bao nhiêu: kiện hàng có bảo hiểm được báo giá thêm một lần không bảo hiểm',
  'Plans the rows, shows what they cost, asks for confirmation and sends them. The name of the batch is printed first, on stderr: with it the batch can be resumed whatever happens.\n\nRunning the same file again sends nothing twice: an unfinished batch continues; a finished one is shown, with its exit code.':
    'Lập bảng dự kiến cho các dòng, cho xem chi phí, hỏi xác nhận rồi gửi. Tên đợt gửi được in ra trước, trên stderr: có tên này thì luôn tiếp tục được đợt gửi, dù xảy ra chuyện gì.\n\nChạy lại cùng file thì không gửi gì hai lần: đợt gửi chưa xong thì chạy tiếp; đợt gửi đã xong thì được hiển thị lại, với mã thoát của đợt đó.',
  'how many rows to send in parallel, at most 32; adapts to the service when absent':
    'số dòng gửi cùng lúc, nhiều nhất 32; để trống thì tự điều chỉnh theo hệ thống',
  'how long the service may be unreachable before the batch stops, for example 30s or 10m (the default)':
    'mất kết nối với hệ thống bao lâu thì dừng đợt gửi, ví dụ 30s hoặc 10m (mặc định)',
  'forget finished batches older than this many days; 90 when absent':
    'xóa dữ liệu của các đợt gửi đã xong cũ hơn số ngày này; để trống là 90',
  'After Ctrl-C, a crash, an outage or a power cut: rows that may have been sent are looked up first, then the rest is sent. Without a name, the newest unfinished batch continues; if that would send rows, you are asked first (or add --yes).':
    'Dùng sau khi bấm Ctrl-C, chương trình dừng đột ngột, mất kết nối hoặc mất điện: các dòng có thể đã gửi được tra trước, rồi mới gửi phần còn lại. Không ghi tên thì tiếp tục đợt gửi chưa xong mới nhất; nếu còn dòng phải gửi thì sẽ hỏi trước (hoặc thêm --yes).',
  'the batch: its name, or the start or end of its name': 'đợt gửi: tên đầy đủ, hoặc phần đầu hay phần cuối của tên',
  'With a file, rows are read from it again, with the mapping that the batch was run with: matched by name, otherwise by content. A changed row without a name is matched by its position, if the file has as many rows as before. Rows that a limit refused can be sent with a higher one, which the batch has from then on. Orders are quoted again, and you are asked before they are sent (or add --yes).':
    'Nếu có file thì các dòng được đọc lại từ file, với cách ghép cột của đợt gửi: khớp theo tên, không có tên thì theo nội dung. Dòng đã sửa mà không có tên thì khớp theo vị trí, nếu số dòng của file vẫn như trước. Dòng bị từ chối vì vượt mức thì gửi được với mức cao hơn, và từ đó đợt gửi dùng mức này. Đơn được báo giá lại, và sẽ hỏi trước khi gửi (hoặc thêm --yes).',
  'For what only you can find out: look at the service, then record the answer. A row that was not done can be sent with `batch retry`.':
    'Dùng khi máy không tự biết được kết quả: kiểm tra trên hệ thống, rồi ghi nhận. Dòng không thực hiện thì gửi được bằng `batch retry`.',
  'the row, by its number or its name': 'dòng, theo số hoặc tên',
  'it was done': 'đã thực hiện',
  'it was not done': 'không thực hiện',
  'With --shop, only those of that shop.': 'Với --shop thì chỉ các đợt gửi của shop đó.',
  'Without a name, the newest batch.': 'Không ghi tên thì lấy đợt gửi mới nhất.',
  'Without a name, those of the newest batch.': 'Không ghi tên thì lấy các dòng của đợt gửi mới nhất.',
  'only rows in this state; may be given several times': 'chỉ các dòng ở trạng thái này; có thể nhập nhiều lần',
  'a state': 'một trạng thái',
  'By the name of the row, or the id, code or parcel code of its record. With the batch, the file and the place in it. Searches every stored batch, newest first.':
    'Theo tên dòng, hoặc id, mã hay mã vận đơn của bản ghi. Kèm đợt gửi, file và vị trí trong file. Tìm trong mọi đợt gửi đã lưu, mới nhất trước.',
  'name of the row, or id, code or parcel code of its record': 'tên dòng, hoặc id, mã hay mã vận đơn của bản ghi',
  'Rows and columns stay in their order; the results are added in columns after them. Without a name, those of the newest batch. The original file is not needed. The extension decides the format: csv, tsv, xlsx or jsonl.':
    'Dòng và cột giữ nguyên thứ tự; kết quả được thêm vào các cột phía sau. Không ghi tên thì lấy các dòng của đợt gửi mới nhất. Không cần file gốc. Đuôi file quyết định định dạng: csv, tsv, xlsx hoặc jsonl.',
  'Each record is read first: changes made since are reported, and a parcel that was picked up is left alone (exit 9). Orders are cancelled; customers, products and the like are deleted; members are removed; updated fields get the values back that they had when the batch was planned, unless somebody has changed the record since: then it is left alone, and reported. Deletions, confirmations and cancellations cannot be undone.\n\nAn undo is a batch itself: it can be resumed, and undoes nothing twice. What was undone counts as not created: the same file sends it again with --resend-ended undone.':
    'Từng bản ghi được đọc trước: mọi thay đổi sau đợt gửi đều được báo, và kiện hàng đã được lấy thì để nguyên (mã thoát 9). Đơn hàng thì hủy; khách hàng, sản phẩm và các loại tương tự thì xóa; thành viên thì bỏ khỏi nhóm; trường đã sửa thì trở về giá trị lúc lập bảng dự kiến, trừ khi đã có người sửa bản ghi sau đó: khi ấy bản ghi được để nguyên và được báo. Xóa, xác nhận và hủy thì không hoàn tác được.\n\nHoàn tác cũng là một đợt gửi: tiếp tục được khi bị dừng, và không hoàn tác gì hai lần. Dòng đã hoàn tác được coi là chưa tạo, nên gửi lại được bằng cùng file với --resend-ended undone.',
  'undo only this row, by its number, its name, or a name of its record; may be given several times':
    'chỉ hoàn tác dòng này, theo số, tên, hoặc tên của bản ghi; có thể nhập nhiều lần',
  'a row': 'một dòng',
  'the reason for cancellations; names the batch when absent': 'lý do hủy; để trống thì ghi tên đợt gửi',
  'Refused while a row is unclear or may have been sent. Afterwards the same file counts as new: only names that the service knows prevent it from being sent again.':
    'Không xóa được khi còn dòng chưa rõ hoặc có thể đã gửi. Xóa xong, file này được coi là file mới: chỉ các tên mà hệ thống đã biết mới không bị gửi thêm lần nữa.',
  'Which records are wanted; all of them when absent': 'Cần những bản ghi nào; để trống là tất cả',
  'Ids of the orders': 'Id của các đơn hàng',
  'Which page, how long and in which order': 'Trang nào, dài bao nhiêu và theo thứ tự nào',
  'Cursor after which the page begins; "." is the start': 'Trang bắt đầu ngay sau con trỏ này; "." là đầu danh sách',
  'Cursor before which the page ends; "." is the end; not together with after':
    'Trang kết thúc ngay trước con trỏ này; "." là cuối danh sách; không dùng cùng với after',
  'Size of the page at most; absent or 0 means 100': 'Số bản ghi tối đa của trang; để trống hoặc 0 là 100',
  'Order of the records: created_at or updated_at, with a leading "-" for the newest first':
    'Thứ tự của các bản ghi: created_at hoặc updated_at, thêm "-" ở trước để xếp mới nhất trước',
  'how many to return; all when absent, in a table the newest 100':
    'số bản ghi cần lấy; để trống là tất cả, trong bảng là 100 bản ghi mới nhất',
  'all records, even in a table': 'mọi bản ghi, kể cả trong bảng',
  'page size, 100 at most': 'số bản ghi mỗi trang, nhiều nhất 100',
  'continue after this cursor': 'tiếp tục sau con trỏ này',
  'end before this cursor': 'kết thúc trước con trỏ này',
  'order: created_at or updated_at, with a leading - for the latest first; -created_at when absent':
    'thứ tự: created_at hoặc updated_at, thêm - ở trước để xếp mới nhất trước; để trống là -created_at',
  'only what was created since then: a day such as 2026-02-03, 15/11/2026, today, yesterday or last-week, a time such as 2026-02-03T12:00Z, or how long ago: 7d, 12h, 30m':
    'chỉ những gì được tạo từ lúc này: một ngày như 2026-02-03, 15/11/2026, today, yesterday hoặc last-week, một thời điểm như 2026-02-03T12:00Z, hoặc cách đây bao lâu: 7d, 12h, 30m',
  'only what was created until then; a day includes the whole day':
    'chỉ những gì được tạo đến lúc này; nếu là ngày thì tính hết ngày đó',
  'only what was created today': 'chỉ những gì được tạo hôm nay',
  'only records in this state, by letter or word; may be given several times':
    'chỉ bản ghi ở trạng thái này, ghi bằng chữ cái hoặc bằng từ; có thể nhập nhiều lần',
  'The order waits for its confirmation; nothing is shipped.': 'Đơn hàng còn chờ xác nhận; chưa gửi hàng.',
  'How it is to be shipped': 'Cách giao hàng',
  'How the buyer pays': 'Cách khách thanh toán',
  'create reserves the goods; confirm takes them too': 'create giữ hàng trong kho; confirm còn lấy hàng ra khỏi kho',
  'obey moves the stock and needs enough of it; ignore leaves it':
    'obey thay đổi tồn kho và cần đủ hàng; ignore để nguyên tồn kho',
  'From the order and its parcels at the service, and from what this machine stores: changes that came by webhook, batches, printed slips and imported payments. The times of batches and payments are those of the run and of the import. What is not over ends with its state now. --for-buyer writes one sentence for the buyer, in the language of paper_lang: Vietnamese unless it is set.':
    'Lấy từ đơn hàng và các vận đơn trên hệ thống, và từ những gì máy này lưu: thay đổi nhận qua webhook, đợt gửi, phiếu đã in và các khoản đối soát đã nhập. Giờ của đợt gửi là giờ chạy, giờ của khoản đối soát là giờ nhập. Đơn chưa kết thúc thì dòng cuối là trạng thái hiện tại. --for-buyer viết một câu cho khách, bằng ngôn ngữ của "paper_lang": tiếng Việt nếu không đặt.',
  'the order, by its id, code, external_id or parcel code': 'đơn hàng, theo id, mã, external_id hoặc mã vận đơn',
  'write one sentence to send to the buyer instead, in the language of paper_lang':
    'chỉ viết một câu để gửi khách, bằng ngôn ngữ của "paper_lang"',
  'Where the driver picks up; coordinates give the most accurate fee':
    'Nơi tài xế lấy hàng; có tọa độ thì phí chính xác nhất',
  'Street address': 'Số nhà, tên đường',
  'Where it is on the map': 'Vị trí trên bản đồ',
  'Latitude, north is positive': 'Vĩ độ, phía bắc là số dương',
  'Longitude, east is positive': 'Kinh độ, phía đông là số dương',
  'The stops': 'Các điểm giao',
  'Where the parcel goes; coordinates give the most accurate fee': 'Nơi giao hàng; có tọa độ thì phí chính xác nhất',
  'Cash to collect from the buyer': 'Tiền thu hộ (COD) từ khách',
  'Code of a coupon': 'Mã giảm giá',
  'Id of the delivery': 'Id của chuyến giao ngay',
  "Id of the delivery in the caller's system": 'Id của chuyến giao ngay trong hệ thống bên ngoài',
  'Costs money and sends a driver. The service code and fee must be those of a quote.':
    'Tốn tiền và có tài xế đến thật. Mã dịch vụ và phí phải đúng theo một báo giá.',
  'Where the driver picks up': 'Nơi tài xế lấy hàng',
  'The stops, each an order of its own': 'Các điểm giao, mỗi điểm là một đơn hàng riêng',
  'Value of the goods': 'Giá trị hàng hóa',
  'Weight that is charged for': 'Khối lượng tính phí',
  'Note for the driver': 'Ghi chú cho tài xế',
  'What is delivered': 'Hàng cần giao',
  'Code of the service, as priced': 'Mã dịch vụ giao hàng, theo báo giá',
  'What the shop pays for the delivery, as priced': 'Phí giao hàng shop trả, theo báo giá',
  'Ids of the customers': 'Id của các khách hàng',
  'Whether deleted records are included, as id and deleted only':
    'Có lấy cả bản ghi đã xóa hay không; bản ghi đã xóa chỉ có id và deleted',
  'Id of the customer': 'Id của khách hàng',
  'Code of the customer': 'Mã khách hàng',
  "Id of the customer in the caller's system": 'Id của khách hàng trong hệ thống bên ngoài',
  'Full name': 'Họ tên',
  "Code of the customer in the caller's system": 'Mã khách hàng trong hệ thống bên ngoài',
  Gender: 'Giới tính',
  'Date of birth, free text': 'Ngày sinh, ghi tự do',
  'Kind of customer; independent is deprecated': 'Loại khách hàng; independent là loại cũ, không nên dùng',
  'Note on the customer': 'Ghi chú về khách hàng',
  'A field that is not given stays as it is; an empty text clears it, except for the name and the phone.':
    'Trường không ghi thì giữ nguyên; ghi rỗng thì xóa giá trị, trừ tên và số điện thoại.',
  'Phone number, matched exactly': 'Số điện thoại, phải khớp hoàn toàn',
  'Id of the address': 'Id của địa chỉ',
  'Code of the address': 'Mã địa chỉ',
  "Id of the address in the caller's system": 'Id của địa chỉ trong hệ thống bên ngoài',
  'Position of the person in the company': 'Chức vụ của người này trong công ty',
  'Where the address is on the map': 'Vị trí của địa chỉ trên bản đồ',
  Country: 'Quốc gia',
  'A field that is not given stays as it is; an empty text clears it.':
    'Trường không ghi thì giữ nguyên; ghi rỗng thì xóa giá trị.',
  'Ids of the groups': 'Id của các nhóm',
  'Id of the group': 'Id của nhóm',
  'Name of the group': 'Tên nhóm',
  'Takes exactly one of the two filters.': 'Cần đúng một trong hai bộ lọc.',
  'Ids of the products': 'Id của các sản phẩm',
  'Code of the product': 'Mã sản phẩm',
  "Id of the product in the caller's system": 'Id của sản phẩm trong hệ thống bên ngoài',
  'Code in the shop; assigned by the service when absent': 'Mã trong shop; để trống thì hệ thống tự đặt',
  "Id in the caller's system": 'Id trong hệ thống bên ngoài',
  "Code in the caller's system": 'Mã trong hệ thống bên ngoài',
  'Id of the brand': 'Id của nhãn hiệu',
  Name: 'Tên',
  'Description in a sentence': 'Mô tả trong một câu',
  Description: 'Mô tả',
  'Note of the shop': 'Ghi chú của shop',
  'URLs of pictures': 'URL của các ảnh',
  'Price before discount': 'Giá trước khi giảm',
  'What it cost the shop': 'Giá vốn của shop',
  'Unit it is sold by, for example box': 'Đơn vị bán, ví dụ hộp',
  'A field that is not given stays as it is; an empty text or 0 clears it.':
    'Trường không ghi thì giữ nguyên; ghi rỗng hoặc 0 thì xóa giá trị.',
  'Ids of the variants': 'Id của các phiên bản',
  'Code of the variant': 'Mã phiên bản',
  "Id of the variant in the caller's system": 'Id của phiên bản trong hệ thống bên ngoài',
  'Attributes of the variant, for example its colour': 'Phân loại của phiên bản, ví dụ màu',
  'Ids of the collections': 'Id của các bộ sưu tập',
  'Id of the collection': 'Id của bộ sưu tập',
  'Name of the collection': 'Tên bộ sưu tập',
  'Takes exactly one of the two filters, and returns everything in one answer.':
    'Cần đúng một trong hai bộ lọc, và trả về tất cả trong một lần.',
  'only what was changed since then: a day such as 2026-02-03, 15/11/2026, today, yesterday or last-week, a time such as 2026-02-03T12:00Z, or how long ago: 7d, 12h, 30m':
    'chỉ những gì thay đổi từ lúc này: một ngày như 2026-02-03, 15/11/2026, today, yesterday hoặc last-week, một thời điểm như 2026-02-03T12:00Z, hoặc cách đây bao lâu: 7d, 12h, 30m',
  'only what was changed until then; a day includes the whole day':
    'chỉ những gì thay đổi đến lúc này; nếu là ngày thì tính hết ngày đó',
  'only what was changed today': 'chỉ những gì thay đổi hôm nay',
  'Only changes after this moment are sent. The receiver answers status 200 with the body ok.':
    'Chỉ gửi các thay đổi sau lúc tạo webhook. Bên nhận trả lời mã 200 với nội dung ok.',
  'Where the changes are sent; a secret in it lets the receiver know the sender':
    'Nơi nhận các thay đổi; thêm một mã bí mật vào địa chỉ thì bên nhận biết được ai gửi',
  'The kinds of records whose changes are sent': 'Các loại bản ghi cần gửi thay đổi',
  'A kind of record': 'Một loại bản ghi',
  'Not supported yet: must be empty': 'Chưa hỗ trợ: phải để trống',
  'Name of a field': 'Tên trường',
  'Free text, stored with the webhook': 'Ghi tự do, lưu cùng webhook',
  'Returns the webhooks that remain.': 'Trả về các webhook còn lại.',
  'Id of the webhook': 'Id của webhook',
  'Webhooks are shown as the service sees them, targets as this workspace does. Exits with 9 if something is broken: a webhook that gets no deliveries, or a target that refuses changes or was given up on.':
    'Webhook hiện theo những gì hệ thống thấy, đích hiện theo những gì workspace này thấy. Mã thoát 9 nếu có chỗ hỏng: webhook không nhận được lần gửi nào, hoặc đích từ chối thay đổi hay không được thử lại nữa.',
  'forget the periods of missing changes once they are shown, so that they are not shown again':
    'hiện xong thì bỏ các khoảng thời gian thiếu thay đổi, lần sau không hiện nữa',
  'show only what is broken, for a health check; if no listener of a workspace file runs, each is shown as ended':
    'chỉ hiện chỗ hỏng, để kiểm tra tình trạng; nếu không có bộ nhận nào của file workspace đang chạy thì mỗi bộ nhận hiện là đã kết thúc',
  'Each is created again, and the old one deleted; without --all, only those of listeners in this workspace, and the exit code is 9 while others are stopped. What happened in the meantime is never sent; lists show the present state of the records.':
    'Mỗi webhook được tạo lại, webhook cũ bị xóa; không có --all thì chỉ các webhook của bộ nhận trong workspace này, và mã thoát là 9 nếu còn webhook khác bị dừng. Những gì xảy ra trong thời gian đó không bao giờ được gửi; các danh sách cho biết trạng thái hiện tại của bản ghi.',
  'every stopped webhook of the account': 'mọi webhook bị dừng của tài khoản',
  'stopped webhooks of listeners in this workspace': 'các webhook bị dừng của bộ nhận trong workspace này',
  'all areas': 'mọi nhóm dữ liệu',
  'The newest come first, in every format. A table shows 100 of them, a machine format all, unless --limit says how many.':
    'Mới nhất trước, ở mọi định dạng. Bảng hiện 100 thay đổi, định dạng cho máy hiện tất cả, trừ khi --limit ghi số khác.',
  'only changes of this kind of record': 'chỉ thay đổi của loại bản ghi này',
  'only changes of this type': 'chỉ thay đổi thuộc loại này',
  'only changes of this record; all of its history': 'chỉ thay đổi của bản ghi này; toàn bộ lịch sử của bản ghi',
  'received at this time or later: a time, a day, or an age such as 2h':
    'nhận từ lúc này trở đi: một thời điểm, một ngày, hoặc cách đây bao lâu, ví dụ 2h',
  'received before this time; a day includes the whole day': 'nhận trước lúc này; nếu là ngày thì tính hết ngày đó',
  'only changes that concern this target, by its name or address':
    'chỉ thay đổi liên quan đến đích này, theo tên hoặc địa chỉ của đích',
  'only changes in this state at the target': 'chỉ thay đổi ở trạng thái này tại đích',
  'how many of the newest': 'lấy bao nhiêu thay đổi mới nhất',
  'all of them, even in a table': 'lấy tất cả, kể cả trong bảng',
  'newest first, the default; with --no-, in the order in which they were received':
    'mới nhất trước, đây là mặc định; với --no- thì theo thứ tự nhận',
  'id of the change': 'id của thay đổi',
  'To every active target, or one. If a listener is running, it forwards them; otherwise this command does, and leaves what it cannot forward in time to the next listener. A target gets each change under the same id as before.':
    'Đến mọi đích đang dùng, hoặc một đích. Nếu có bộ nhận đang chạy thì bộ nhận chuyển tiếp; nếu không thì lệnh này chuyển, phần không kịp chuyển để lại cho bộ nhận sau. Đích nhận mỗi thay đổi với cùng id như trước.',
  'ids of the changes': 'id của các thay đổi',
  'an id': 'một id',
  'all received at this time or later: a time, a day, or an age such as 2h':
    'mọi thay đổi nhận từ lúc này trở đi: một thời điểm, một ngày, hoặc cách đây bao lâu, ví dụ 2h',
  'and before this time; a day includes the whole day': 'và trước lúc này; nếu là ngày thì tính hết ngày đó',
  'the target, by its name or address; every active one when absent':
    'đích, theo tên hoặc địa chỉ; để trống là mọi đích đang dùng',
  'how long this run may take; 60s when absent': 'lần chạy này kéo dài tối đa bao lâu; để trống là 60s',
  'name of the target, or its address': 'tên đích, hoặc địa chỉ của đích',
  'Reads from the service and compares every field with the columns that SQL reads. Records that changed after the last sync are left out, and what differs is read a second time before it is reported. Exits with 11 if anything differs. Without --all, a sample of 200 records per area is compared.\n\nWithout --area, the rollups are computed again from the records and compared too. `mirror sync --full` repairs what differs.':
    'Đọc từ hệ thống và so từng trường với các cột mà SQL đọc. Bản ghi thay đổi sau lần đồng bộ gần nhất thì bỏ qua, chỗ sai khác được đọc lần thứ hai rồi mới báo. Mã thoát 11 nếu có sai khác. Không có --all thì mỗi nhóm dữ liệu so mẫu 200 bản ghi.\n\nKhông có --area thì các số tổng hợp cũng được tính lại từ bản ghi và so. `mirror sync --full` sửa các chỗ sai khác.',
  'only this area, by the name of its table; repeats; all when absent':
    'chỉ nhóm dữ liệu này, theo tên bảng; có thể nhập nhiều lần; để trống là tất cả',
  'an area': 'một nhóm dữ liệu',
  'compare this many records per area, chosen at random; 200 when absent':
    'mỗi nhóm dữ liệu so bao nhiêu bản ghi, chọn ngẫu nhiên; để trống là 200',
  'compare every record': 'so mọi bản ghi',
  'Each amount becomes a payment line: a parcel, a kind and an amount. A row that cannot be read is listed with its cell, and does not stop the others. Importing the same file again changes nothing. What a session has already is asked about: --replaces or --adds answers it, and without a terminal the command exits with 2. Exits with 9 if something in a file is wrong.':
    'Mỗi số tiền thành một khoản: vận đơn, loại và số tiền. Dòng không đọc được thì được liệt kê kèm ô, các dòng khác vẫn nhập. Nhập lại cùng file thì không thay đổi gì. Phần mà phiên đối soát đã có thì sẽ hỏi: trả lời bằng --replaces hoặc --adds, không có terminal thì lệnh dừng với mã thoát 2. Mã thoát 9 nếu trong file có chỗ sai.',
  'the files': 'các file',
  'a payment file: csv, tsv or xlsx, or a folder of them':
    'file đối soát: csv, tsv hoặc xlsx, hoặc một thư mục chứa các file đó',
  'how its columns are read: ghtk, ghn, vtp, the name of a saved layout, or a file; by its headers when absent':
    'cách đọc các cột: ghtk, ghn, vtp, tên một mẫu đã lưu, hoặc một file; để trống thì đọc theo tiêu đề',
  'the payment session of a file that does not name one; its file name when absent':
    'phiên đối soát, khi file không ghi phiên; để trống thì lấy tên file',
  'the carrier, for parcels that the shop does not know': 'tên ĐVVC, cho các vận đơn mà shop không có',
  'format of the file, where its name does not say it': 'định dạng của file, khi tên file không cho biết',
  'read all sheets with rows below the header of a layout': 'đọc mọi trang tính có dòng dưới tiêu đề của một mẫu',
  'the sessions whose lines the file replaces': 'các phiên đối soát có khoản được file này thay',
  'a payment session': 'một phiên đối soát',
  'add the lines to what sessions have of the parcels already, except for equal ones':
    'cộng thêm các khoản vào phần mà phiên đối soát đã có của vận đơn, trừ các khoản giống hệt',
  "a file, by its name or id, or a parcel, by the carrier's code or our id":
    'một file, theo tên hoặc id, hoặc một vận đơn, theo mã của ĐVVC hoặc id của vận đơn',
  'Lines of other files that repeated one of its lines are counted from then on. A file with lines of a closed session is not deleted.':
    'Khoản của file khác từng bị coi là lặp lại khoản của file này thì từ đó được tính. File có khoản thuộc phiên đối soát đã chốt thì không xóa được.',
  'the file, by its name or id': 'file, theo tên hoặc id',
  'Reads the mirror: run `shopctl mirror sync` first. Without dates it takes every parcel. Exits with 11 if anything differs, and with 0 if all agrees.':
    'Đọc từ bản sao: chạy `shopctl mirror sync` trước. Không ghi ngày thì lấy mọi vận đơn. Mã thoát 11 nếu có chênh lệch, 0 nếu khớp hết.',
  'only parcels that were closed on this day or later: 2026-11-15, 15/11/2026, today or yesterday':
    'chỉ vận đơn kết thúc từ ngày này trở đi: 2026-11-15, 15/11/2026, today hoặc yesterday',
  'only parcels that were closed on this day or before': 'chỉ vận đơn kết thúc đến hết ngày này',
  'only parcels of this carrier': 'chỉ vận đơn của ĐVVC này',
  'only parcels with a line in this payment session': 'chỉ vận đơn có khoản trong phiên đối soát này',
  'what the bank received for the session; needs --session': 'số tiền ngân hàng đã nhận của phiên này; cần --session',
  'working days that carriers have to pay: 7d, or 7d,NAME=5d for single carriers; as set when absent':
    'số ngày làm việc để ĐVVC trả tiền: 7d, hoặc 7d,TÊN=5d cho từng ĐVVC; để trống thì theo cài đặt',
  'list only parcels with a difference': 'chỉ liệt kê vận đơn có chênh lệch',
  'list only parcels of this class, such as awaiting: delivered, and not yet due to be paid':
    'chỉ liệt kê vận đơn thuộc nhóm này, ví dụ awaiting: đã giao, chưa đến hạn trả',
  'Says first what still differs by the mirror; at a terminal it then asks. Lines that are imported for a closed session later are marked, and its files cannot be deleted. --undo opens it again.':
    'Cho biết trước những gì còn chênh lệch theo bản sao; trên dòng lệnh thì hỏi lại. Khoản nhập sau cho phiên đã chốt thì được đánh dấu, và file của phiên không xóa được. --undo mở lại phiên.',
  'the payment session': 'phiên đối soát',
  'who agreed; the name of the user of this machine when absent':
    'người đã đồng ý; để trống thì lấy tên người dùng của máy này',
  'a note': 'ghi chú',
  'open a closed session again': 'mở lại một phiên đã chốt',
  'From the mirror, which is made at the first time on a terminal: `shopctl mirror sync --watch` in another one keeps it current. --watch redraws the lines that changed until Ctrl-C; without a terminal it prints one page. A page is as wide as the terminal, or as COLUMNS says. Exits with 0 whatever it finds.':
    'Lấy từ bản sao, lần đầu trên terminal thì tự tạo: `shopctl mirror sync --watch` ở một terminal khác giữ cho bản sao luôn mới. --watch vẽ lại các dòng thay đổi cho đến khi bấm Ctrl-C; không có terminal thì in một trang. Trang rộng bằng terminal, hoặc theo COLUMNS. Mã thoát luôn là 0.',
  'the day: 2026-11-22, 22/11/2026 or yesterday; today when absent':
    'ngày cần xem: 2026-11-22, 22/11/2026 hoặc yesterday; để trống là hôm nay',
  'time zone of the days; that of the setting tz when absent': 'múi giờ để tính ngày; để trống thì theo cài đặt tz',
  'list what is behind a figure instead, with recipient and phone':
    'liệt kê các bản ghi tạo nên một con số, kèm người nhận và số điện thoại',
  'unreconciled, states and late are about the present; carriers, cod, sales, products, customers and stock about the days from --since to --until, both included. The present is the moment up to which the mirror is complete: `shopctl mirror sync` updates it. --explain says what a report counts, --sql how. docs/reports.md defines every figure.':
    'unreconciled, states và late nói về hiện tại; carriers, cod, sales, products, customers và stock nói về các ngày từ --since đến --until, tính cả hai ngày này. Hiện tại là thời điểm mà bản sao đã có đủ dữ liệu: `shopctl mirror sync` cập nhật bản sao. --explain cho biết báo cáo đếm những gì, --sql cho biết đếm thế nào. docs/reports.md định nghĩa mọi con số.',
  'one of unreconciled, states, late, carriers, cod, sales, products, customers, stock, or all with a directory':
    'một trong unreconciled, states, late, carriers, cod, sales, products, customers, stock, hoặc all kèm một thư mục',
  'first day: 2026-11-15, 15/11/2026, today, yesterday, this-week, or last-week, which alone is that week; of 30 days when absent':
    'ngày đầu: 2026-11-15, 15/11/2026, today, yesterday, this-week, hoặc last-week, nếu chỉ ghi vậy thì là cả tuần đó; để trống thì lấy 30 ngày',
  'last day, which is included; today when absent': 'ngày cuối, tính cả ngày này; để trống là hôm nay',
  'how long a row of sales or cod is; day when absent': 'mỗi dòng của sales hoặc cod gồm bao lâu; để trống là day',
  'list the records behind it instead: those of late, each with recipient, phone and days':
    'liệt kê các bản ghi phía sau báo cáo: của late thì mỗi bản ghi kèm người nhận, số điện thoại và số ngày',
  'A write is sending from before its first byte until its outcome is known, and unclear if the outcome was lost. Rows of batches are listed too; `batch resume` and `batch settle` settle those. With --shop, only those of that shop.':
    'Một lệnh ghi là sending (đang gửi) từ trước byte đầu tiên cho đến khi biết kết quả, và là unclear (chưa rõ) nếu mất kết quả. Dòng của các đợt gửi cũng được liệt kê; xử lý các dòng đó bằng `batch resume` và `batch settle`. Với --shop thì chỉ lệnh ghi của shop đó.',
  'only those in this state': 'chỉ lệnh ghi ở trạng thái này',
  'the id of the write, or the start of it': 'id của lệnh ghi, hoặc phần đầu của id',
  'Check at the service first. A write that was done counts as created; one that was not done can be sent again by the same command.':
    'Kiểm tra trên hệ thống trước. Lệnh ghi đã thực hiện được coi là đã tạo; lệnh ghi không thực hiện thì gửi thêm lần nữa được bằng cùng lệnh.',
  'the request token of AuthorizeShop, or the address of its sign-in page':
    'mã yêu cầu của AuthorizeShop, hoặc địa chỉ trang đăng nhập của mã đó',
  'the shop, by its id or name; when absent, the current shop': 'shop, theo id hoặc tên; để trống là shop đang dùng',
  'which sandbox, where several run; when absent, that of the profile, otherwise the newest':
    'sandbox nào, khi có nhiều sandbox đang chạy; để trống thì lấy sandbox của profile, không có thì lấy sandbox mới nhất',
  'Takes each allowed step to the state; reconciled is delivered with its money settled.':
    'Đi qua từng bước được phép cho đến trạng thái này; reconciled là delivered và tiền đã trả xong.',
  'id, code, external_id or parcel code of an order, a shipment or an on-demand delivery; the newest that can get there when absent':
    'id, mã, external_id hoặc mã vận đơn của một đơn hàng, một vận đơn hoặc một chuyến giao ngay; để trống thì lấy cái mới nhất có thể đến trạng thái đó',
  'a state of the shipment, or reconciled': 'một trạng thái của vận đơn, hoặc reconciled',
  'substate of the shipment, for example delivery_fail': 'trạng thái chi tiết của vận đơn, ví dụ delivery_fail',
  'take each step automatically, when it is due by the business clock':
    'tự đi từng bước, khi đến hạn theo đồng hồ nghiệp vụ',
  'for example 2026-02-01T08:00:00Z': 'ví dụ 2026-02-01T08:00:00Z',
  'for example 30s, 15m, 44h1m': 'ví dụ 30s, 15m, 44h1m',
  'stop at each scheduled event until it is done': 'dừng ở từng sự kiện hẹn giờ cho đến khi xong',
  'ACTION is drop-before, drop-after-commit, half-answer, late-after-commit[=MS], html[=STATUS], delay=MS, or status=503[,code=unavailable][,retry-after=2].':
    'ACTION là drop-before, drop-after-commit, half-answer, late-after-commit[=MS], html[=STATUS], delay=MS, hoặc status=503[,code=unavailable][,retry-after=2].',
  'an operation, all of an area (shop.Order/*), or *': 'một thao tác, mọi thao tác của một nhóm (shop.Order/*), hoặc *',
  'the call of this number': 'lượt gọi thứ mấy',
  'each call whose number this divides': 'mỗi lượt gọi có số thứ tự chia hết cho số này',
  'the next call': 'lượt gọi tiếp theo',
  'this share of the calls, chosen by the seed': 'tỷ lệ lượt gọi bị lỗi, chọn theo seed',
  'what the share is chosen by': 'số dùng để chọn các lượt gọi theo tỷ lệ',
  'what happens to the call': 'điều gì xảy ra với lượt gọi',
  'its id; all of them when absent': 'id của lỗi giả lập; để trống là tất cả',
  'If one of them is named, only that one is shown, with its payload and the answer: the newest of this run are stored in full.':
    'Nếu chỉ ra một lần gửi thì chỉ hiện lần đó, kèm nội dung và trả lời: các lần gửi mới nhất từ khi sandbox chạy được lưu đầy đủ.',
  'only deliveries to this webhook': 'chỉ các lần gửi đến webhook này',
  'only deliveries with a change of this id, among those that are stored in full':
    'chỉ các lần gửi có thay đổi mang id này, trong số các lần được lưu đầy đủ',
  'how many; 100 when absent': 'số lần gửi; để trống là 100',
  'the delivery with this callback id, in full': 'lần gửi có mã callback này, hiện đầy đủ',
  "The webhook's own state does not change: this is separate from the service's own deliveries.":
    'Trạng thái của webhook không thay đổi: lần gửi này tách khỏi các lần gửi của hệ thống.',
  'callback id of the delivery': 'mã callback của lần gửi',
  'name of the snapshot': 'tên bản chụp',
  'replace a snapshot of that name': 'thay bản chụp cùng tên',
  'If it is followed, each request is shown as it arrives.': 'Nếu theo dõi tiếp thì mỗi yêu cầu hiện ra ngay khi đến.',
  'requests of an operation, of an area (shop.Order/*), or all (*)':
    'yêu cầu của một thao tác, của một nhóm (shop.Order/*), hoặc tất cả (*)',
  'a status, a class of them (4xx), or a code such as not_found':
    'một mã trạng thái, một nhóm mã (4xx), hoặc một mã lỗi như not_found',
  'only requests that a fault affected: its id, or any':
    'chỉ yêu cầu bị một lỗi giả lập tác động: id của lỗi đó, hoặc any',
  'requests that have this id in their body, or in an answer that is not a list':
    'yêu cầu có id này trong nội dung, hoặc trong trả lời không phải là danh sách',
  'only requests of operations that change something': 'chỉ yêu cầu của các thao tác có thay đổi dữ liệu',
  'only requests after the one of this id, oldest first': 'chỉ yêu cầu sau yêu cầu có id này, cũ nhất trước',
  'how long to wait for a request where there is none yet': 'chờ bao lâu khi chưa có yêu cầu nào',
  'then print each request as it arrives, until Ctrl-C': 'sau đó in từng yêu cầu khi đến, cho đến khi bấm Ctrl-C',
  'Services do not implement it; the example of the contract is shown instead: what a webhook receives.':
    'Hệ thống không hỗ trợ thao tác này; thay vào đó là ví dụ của đặc tả: những gì một webhook nhận.',
  'Every answer that shopctl reads is compared with the contract; what differs is stored here, without personal data. Nothing is called. The setting `drift` switches it off.':
    'Mọi trả lời mà shopctl đọc đều được so với đặc tả; chỗ sai khác được lưu ở đây, không kèm dữ liệu cá nhân. Không gọi gì lên hệ thống. Tắt bằng cài đặt `drift`.',
  'Id of a shop that signed in before': 'Id của một shop đã từng đăng nhập',
  'Email address that pre-fills a first sign-in': 'Địa chỉ email điền sẵn cho lần đăng nhập đầu',
  'Phone number that pre-fills a first sign-in': 'Số điện thoại điền sẵn cho lần đăng nhập đầu',
  'Shop name that pre-fills a first sign-in': 'Tên shop điền sẵn cho lần đăng nhập đầu',
  'Where the sign-in page of the service returns to, where a deployment offers one':
    'Nơi trang đăng nhập của hệ thống quay về, nếu hệ thống có trang đó',
  'Id of the finding, as listed': 'Id của sai khác, như trong danh sách',
};

/** What is declared of actions and fields, by the English sentences. */
export const consoleSentences: Readonly<Record<string, string>> = { ...summaries, ...explanations };

/** Labels of fields whose name means several things, by the English explanation. */
const labels: Readonly<Record<string, string>> = {
  'leave out offers that deliver later: a day, or a time with a zone': 'Giao chậm nhất',
  'leave out offers that deliver later: a day (2026-02-03, to its end) or a time with a zone': 'Giao chậm nhất',
  'who agreed; the name of the user of this machine when absent': 'Người đồng ý',
  'for example 30s, 15m, 44h1m': 'Thêm bao lâu',
};

function label(name: string, explanation = ''): string | undefined {
  if (Object.hasOwn(labels, explanation)) return labels[explanation];
  const words = labelVietnamese.heading(name);
  return words === name ? undefined : capital(words);
}

export const consoleVietnamese: typeof consoleTexts = {
  screen: (group) => screens[group] ?? group,
  label,
  telling: (field) => (field === 'for_buyer' ? 'Câu gửi khách' : (label(field) ?? field)),
  notAllowed: 'Thao tác này không chạy được từ trang.',
  tooLarge: 'Không nhận file này: quá lớn.',
  fetchedAlready: 'File này đã được tải về rồi.',
  tooManyTabs: 'Quá nhiều thẻ đang mở.',
  nothingThere: 'Không có gì ở địa chỉ này.',
  noAddress: 'Đây không phải là địa chỉ.',
  started: {
    at: ({ url }) => `Console ở ${url}`,
    opened: 'Đã mở trong trình duyệt.',
    open: 'Mở địa chỉ này trong trình duyệt của máy này. Địa chỉ dùng được một lần: --open cho địa chỉ khác.',
    ctrlC: 'Ctrl-C để dừng.',
    elsewhere: 'Console chạy trong một tiến trình khác, vẫn chạy tiếp.',
  },
  given: {
    notFromPage: 'không ghi từ trang được',
    noFile: 'không nhận file',
    fileGone: 'không còn nữa: gửi lại file',
    noFormat: 'không phải định dạng của kết quả này',
  },
  noRequest: 'Đây không phải là yêu cầu của console.',
  needsJavaScript: 'Console cần JavaScript.',
  elsewhere: 'Console này ở địa chỉ khác.',
  fromElsewhere: 'Console chỉ trả lời trang của chính nó.',
  noCookie: 'Mở console bằng địa chỉ mà `shopctl console --open` in ra: mỗi địa chỉ dùng được một lần.',
};
