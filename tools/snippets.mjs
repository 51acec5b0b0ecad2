// The code in the documents is the code of the examples, which compiles and runs. A line such as
//
//   <!-- examples/event-desk/desk.ts: collectEmail, register -->
//
// stands before a block of code that consists of these top-level declarations of that file; `test` is its first test.
// Without names it is the whole file. `node tools/snippets.mjs` tells which blocks differ; `--write` mends them.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import ts from 'typescript'

const packages = readdirSync('packages').map((name) => `packages/${name}`)
const documents = ['.', 'docs', ...packages].flatMap((folder) =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.md'))
    .map((file) => `${folder}/${file}`),
)
const block = /^<!-- (?<file>\S+\.ts)(?:: (?<names>[\w, ]+))? -->\n```ts\n(?<code>[\s\S]*?)```$/gm

const marker = /^<!-- \S+\.ts\b.*-->$/gm

const write = process.argv.includes('--write')
let stale = 0

for (const document of documents) {
  const before = readFileSync(document, 'utf8')
  if (before.match(marker)?.length !== before.match(block)?.length) {
    throw new Error(`${document}: a comment that names a .ts file must stand right before a block of \`ts\``)
  }
  const after = before.replace(block, (whole, file, names, code) => {
    const wanted = names ? declarations(file, names.split(/,\s*/)) : readFileSync(file, 'utf8')
    if (code === wanted) return whole
    stale += 1
    const source = names ? `${file}: ${names}` : file
    if (!write) console.error(`${document}: the code of ${source} differs from the file`)
    return `<!-- ${source} -->\n\`\`\`ts\n${wanted}\`\`\``
  })
  if (write && after !== before) writeFileSync(document, after)
}

if (stale > 0 && !write) {
  console.error('Run `npm run docs:update`.')
  process.exit(1)
}

/** The text of the declarations `names` of `file`, in the order of the names. */
function declarations(file, names) {
  const text = readFileSync(file, 'utf8')
  const { statements } = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
  return names
    .map((name) => {
      const statement = statements.find((candidate) => namesOf(candidate).includes(name))
      if (!statement) throw new Error(`${file} declares no \`${name}\``)
      return `${commented(text, statement)}\n`
    })
    .join('\n')
}

/** With the comment right above it; what stands apart from it is about something else. */
function commented(text, statement) {
  const above = text.slice(statement.getFullStart(), statement.getStart())
  return above.slice(above.lastIndexOf('\n\n') + 1).trimStart() + statement.getText()
}

function namesOf(statement) {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.map((declaration) => declaration.name.text)
  }
  if (ts.isExpressionStatement(statement) && ts.isCallExpression(statement.expression)) {
    return [statement.expression.expression.getText()]
  }
  return statement.name ? [statement.name.text] : []
}
