import { testMachine } from '../support/context.ts';

/** A machine without settings, whose shop has a key. */
export const env = {
  SHOPCTL_BASE_URL: 'http://127.0.0.1:4010',
  SHOPCTL_AS: 'shop',
  SHOPCTL_API_KEY: 'shop:1234567890abcdef',
};
const words = 'Nguyễn Thị Thanh Hương, 3/2 Đường Cách Mạng Tháng Tám, ';
/** A text of people's names and streets, so many characters long. */
export const long = (characters: number) => words.repeat(characters / words.length + 1).slice(0, characters);

/** A machine whose list has one page, or never ends. */
export function listing(name: string, endless = false) {
  let page = 0;
  return testMachine(async () => {
    page += 1;
    const customers = Array.from({ length: 100 }, (_, index) => ({ id: `${page}${index}`, full_name: name }));
    const paging = endless ? { next: `page-${page}` } : {};
    return {
      status: 200,
      headers: {},
      body: JSON.stringify({ customers: page > 1 && !endless ? [] : customers, paging }),
    };
  });
}
