import sax from 'sax';

/** One case of a JUnit report, as a reader of XML gives it. */
export interface ReadCase {
  readonly classname: string;
  readonly name: string;
  readonly time: string | undefined;
  readonly failures: { readonly message: string; text: string }[];
  skipped: string | undefined;
}

/** The suite of a JUnit report: its attributes, and its cases. */
export interface ReadSuite {
  readonly counts: Readonly<Record<string, string>>;
  readonly cases: readonly ReadCase[];
}

/** Reads a JUnit report with a strict parser of XML. Throws for a text that is no such report. */
export function readJunit(xml: string): ReadSuite {
  const path: string[] = [];
  const cases: ReadCase[] = [];
  let counts: Readonly<Record<string, string>> = {};
  const parser = sax.parser(true);
  parser.onerror = (error) => {
    throw error;
  };
  parser.onopentag = ({ name, attributes }) => {
    path.push(name);
    const given = Object.fromEntries(Object.entries(attributes).map(([key, value]) => [key, String(value)]));
    const place = path.join(' ');
    const last = cases.at(-1);
    const { message = '' } = given;
    if (place === 'testsuites testsuite') counts = given;
    else if (place === 'testsuites testsuite testcase')
      cases.push({
        classname: given.classname ?? '',
        name: given.name ?? '',
        time: given.time,
        failures: [],
        skipped: undefined,
      });
    else if (place === 'testsuites testsuite testcase failure') last?.failures.push({ message, text: '' });
    else if (place === 'testsuites testsuite testcase skipped' && last !== undefined) last.skipped = message;
    else if (place !== 'testsuites') throw new SyntaxError(`a JUnit report has no ${place}`);
  };
  parser.ontext = (text) => {
    const failure = path.at(-1) === 'failure' ? cases.at(-1)?.failures.at(-1) : undefined;
    if (failure !== undefined) failure.text += text;
    else if (text.trim() !== '') throw new SyntaxError(`a text stands in ${path.join(' ')}`);
  };
  parser.onclosetag = () => void path.pop();
  parser.write(xml).close();
  return { counts, cases };
}
