import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { UsageError } from 'antiphon'

const require = createRequire(import.meta.url)

/**
 * The path of a file inside an installed package. Looks in the folders in which Node looks, but at the file itself:
 * packages whose weights we read do not export them.
 *
 * @throws {UsageError} when it is not there.
 */
export function packageFile(packageName: string, file: string): string {
  for (const folder of require.resolve.paths(packageName) ?? []) {
    const path = join(folder, packageName, file)
    if (existsSync(path)) return path
  }
  throw new UsageError(`${file} of the package ${packageName} is not installed: run \`npm install ${packageName}\``)
}
