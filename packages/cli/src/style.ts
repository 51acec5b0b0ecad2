/** How text stands out. On anything but a terminal it does not. */
export interface Style {
  readonly bold: Paint
  readonly dim: Paint
  readonly red: Paint
  readonly green: Paint
  readonly yellow: Paint
  readonly blue: Paint
  readonly cyan: Paint
}

export type Paint = (text: string) => string

const codes: Record<keyof Style, readonly [on: number, off: number]> = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  blue: [34, 39],
  cyan: [36, 39],
}

export function styleFor(stream: { readonly isTTY?: boolean }, env: NodeJS.ProcessEnv = process.env): Style {
  const coloured = stream.isTTY === true && !env['NO_COLOR'] && env['TERM'] !== 'dumb'
  const paint = ([on, off]: readonly [number, number]): Paint => {
    return coloured ? (text) => `\u001b[${on}m${text}\u001b[${off}m` : (text) => text
  }
  return Object.fromEntries(Object.entries(codes).map(([name, code]) => [name, paint(code)])) as unknown as Style
}
