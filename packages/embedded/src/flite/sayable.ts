const ADDRESS = /[\w.+-]+@[\w-]+(?:\.[\w-]+)+/g
const SYMBOLS: Readonly<Record<string, string>> = {
  '@': ' at ',
  '.': ' dot ',
  '-': ' dash ',
  _: ' underscore ',
  '+': ' plus ',
}

/** Text as Flite can say it: addresses in words, no markup and no line breaks. */
export function sayable(text: string): string {
  return text
    .replace(ADDRESS, (address) => address.replace(/[@._+-]/g, (symbol) => SYMBOLS[symbol]!).trim())
    .replace(/[*_#`~<>|]+/g, ' ')
    .replace(/[‘’]/g, "'")
    .replace(/[“”"]/g, ' ')
    .replace(/[–—]/g, ', ')
    .replace(/…/g, '... ')
    .replace(/\s+/g, ' ')
    .trim()
}
