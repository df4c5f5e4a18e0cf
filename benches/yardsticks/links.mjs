// links.mjs BASE FILE...: the links of pages by cheerio and the URL of Node
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

// cheerio is where npm has put it, not beside this file
const { load } = createRequire(process.cwd() + '/')('cheerio');
const [base, ...files] = process.argv.slice(2);
for (const file of files) {
  const page = load(readFileSync(file));
  const links = [];
  page('[href], [src]').each((_, element) => {
    const reference = element.attribs.href ?? element.attribs.src;
    if (URL.canParse(reference, base)) links.push(new URL(reference, base).href);
  });
  process.stdout.write(links.join('\n') + '\n');
}
