import type { workspaceTexts } from './texts.ts';

export const workspaceVietnamese: typeof workspaceTexts = {
  paths: {
    program: 'chương trình',
    programHolds: 'chính chương trình',
    settings: 'cài đặt',
    settingsHold: 'cài đặt, profile và key',
    state: 'dữ liệu',
    stateHolds: 'bản nháp, bản sao của shop, các sandbox đang chạy và dữ liệu của chúng',
    workspace: 'nơi lưu dữ liệu',
    workspaceHolds: 'sổ những gì đã gửi, đợt gửi, đối soát và thay đổi đã nhận',
    usualState: 'dữ liệu thường dùng',
    usualStateHolds: 'những gì đã lưu trước đây',
    cache: 'bộ nhớ đệm',
    cacheHolds: 'những gì chỉ nhớ một thời gian',
    programCache: 'bộ nhớ đệm của chương trình',
    programCacheHolds: 'chương trình đã giải nén, mã đã biên dịch',
    unit: 'unit',
    unitHolds: 'unit của systemd chạy shopctl',
    units: 'các unit',
    unitsHold: 'unit của systemd; không có unit nào chạy shopctl',
    completion: 'gợi ý lệnh',
    completionHolds: ({ shell }) => `gợi ý lệnh cho ${shell}`,
  },
  backup: {
    byServer: 'cơ sở dữ liệu trên máy chủ được sao lưu bằng công cụ của máy chủ',
    there: ({ file }) => `đã có ${file}`,
    without: ({ mappings, way }) =>
      `bản sao lưu không có profile, API key và bảng ghép cột (${mappings}); ở máy khác, chép thư mục bảng ghép cột sang, rồi ${way}`,
  },
  address: {
    none: 'cần là URL',
    one: ({ address }) => `hai địa chỉ là một: ${address}`,
    saying: ({ one, other }) => `cho biết về ${one} và ${other}`,
    same: ({ one, other }) =>
      `${one} và ${other} có phải một hệ thống không? Nếu phải, những gì đã gửi đến một nơi được tính là đã gửi ở cả hai.`,
    separate: ({ one, other }) =>
      `${one} và ${other} có phải hai hệ thống không? Nếu phải, những gì đã gửi ở một nơi không tính ở nơi kia.`,
  },
  move: {
    moving: ({ place }) => `chuyển ${place}`,
    movingBack: ({ place }) => `chuyển ${place} về`,
    emptyDatabase: 'chuyển đến cơ sở dữ liệu còn trống, hoặc nơi người khác đang dùng',
    noLedger: ({ place }) =>
      `cài đặt này không biết sổ nào ở ${place}: tiếp tục ở đó, hoặc chuyển về bằng cài đặt đã chuyển đi`,
    back: ({ place, now, aside }) =>
      `${place} đã được chuyển đến ${now}. Chuyển về? Những gì ở đây được đổi tên thành ${aside}.`,
    aside: ({ place, aside }) => `những gì trước đây ở ${place} nay ở ${aside}, không dùng nữa`,
    ledger: ({ from, place }) => `Chuyển sổ ở ${from} đến ${place}? Từ đó nơi cũ không dùng được nữa.`,
    replaced: ({ place }) =>
      `${place} đã bị thay. Từ nay dùng ${place}? Ở đó không biết những gì đã gửi trước đây: có thể bị gửi hai lần.`,
    gone: ({ from, place }) =>
      `${from} không còn. Từ nay dùng ${place}? Ở đó không biết những gì đã gửi trước đây: có thể bị gửi hai lần.`,
    ends: ({ what, place, why }) => `${what} ở ${place} kết thúc: ${why}`,
    nothing: ({ place }) => `không có gì để chuyển: các tài khoản đã dùng ${place}`,
    atWork: ({ place }) => `một shopctl khác đang làm việc ở ${place}: chưa chuyển gì`,
    atWorkToJoin: ({ place }) => `một shopctl khác đang làm việc ở ${place}: chưa đổi gì`,
    stopFirst: 'dừng các bộ nhận, đợt gửi và lệnh hỏi đang chạy trước',
    undecided: ({ place, clashes, more }) =>
      `chưa chuyển gì từ ${place}: ${clashes.join('; ')}${more === 0 ? '' : `; và ${more} chỗ nữa`}`,
    decide: 'xóa file đối soát hoặc đích đó ở một trong hai nơi, chuyển, rồi thêm lại ở nơi mới',
    copies: ({ place, other }) => `${place} và ${other} là hai bản của một nơi lưu dữ liệu: chưa chuyển gì`,
    severalAccounts: ({ count }) => `nơi cũ có thay đổi của ${count} tài khoản, một file chỉ chứa của một`,
    otherTarget: ({ name }) => `đích ${name} ở nơi mới là đích khác`,
    listenerPath: ({ name }) => `đường dẫn của bộ nhận ${name}`,
    listenerThere: 'ở nơi mới đã có bộ nhận tên đó, với đường dẫn riêng: đăng ký lại webhook',
    sessionClosed: ({ session }) => `phiên ${session} đã chốt, và ở nơi mới có các dòng khác`,
    fileDiffers: ({ name }) => `file đối soát ${name} ở nơi mới có số tiền hoặc phiên khác`,
    fileRepeats: ({ name, sessions }) => `file đối soát ${name} có những gì phiên ${sessions} đã có ở nơi mới`,
    dropCopy: 'xóa hoặc đổi tên bản cũ',
  },
};
