// Runs TypeScript as it stands in the sources. Node 20 cannot strip types by itself; and the loaders that can also give every
// function a name when it is made, which costs a simulation ten times its time.

import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { transform } from 'esbuild'

/** A relative import of `x.js` means `x.ts` where only that exists. */
export async function resolve(specifier, context, next) {
  if (/^(\.{1,2}\/|file:).*\.js$/.test(specifier)) {
    const url = new URL(specifier, context.parentURL)
    if (!existsSync(url)) return next(url.href.replace(/\.js$/, '.ts'), context)
  }
  return next(specifier, context)
}

export async function load(url, context, next) {
  if (!url.startsWith('file:') || !url.endsWith('.ts')) return next(url, context)
  const sourcefile = fileURLToPath(url)
  const { code } = await transform(await readFile(sourcefile, 'utf8'), {
    sourcefile,
    loader: 'ts',
    format: 'esm',
    target: 'node20',
    sourcemap: 'inline',
    tsconfigRaw: { compilerOptions: { verbatimModuleSyntax: true } },
  })
  return { format: 'module', source: code, shortCircuit: true }
}
