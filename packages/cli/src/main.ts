import { parseArgs } from 'node:util'
import { UsageError } from 'antiphon'
import { styleFor } from './style.js'
import { talk } from './talk.js'

const USAGE = `antiphon talk <module> [--caller call.wav] [--out talk.wav]

  Holds a conversation with the agent that <module> exports, and tells it line by line.

  <module>         exports \`agent\`; it may export \`options\` (models, settings), \`caller\` (a recording) and
                   \`check(session)\`. Models that it does not name are the embedded ones, which need no key.
  --caller <wav>   a recorded caller (16-bit PCM). Without one, here or in the module, the caller is you: this
                   machine's microphone.
  --out <wav>      writes the call: the caller left, the agent right.

  It ends with 1 when the conversation is not as it should be, and with 2 when it cannot begin.`

async function main(args: readonly string[]): Promise<number> {
  const { values, positionals } = parse(args)
  const [command, module] = positionals
  if (values.help || command === undefined) {
    console.log(USAGE)
    return command === undefined && !values.help ? 2 : 0
  }
  if (command !== 'talk' || module === undefined || positionals.length > 2) {
    throw new UsageError(`\`antiphon ${positionals.join(' ')}\` is no command`)
  }
  await talk({
    module,
    caller: values.caller,
    out: values.out,
    style: styleFor(process.stdout),
    write: (line) => console.log(line),
    signal: hangUp(),
  })
  return 0
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { caller: { type: 'string' }, out: { type: 'string' }, help: { type: 'boolean', short: 'h' } },
    })
  } catch (cause) {
    throw new UsageError(cause instanceof Error ? cause.message : String(cause), { cause })
  }
}

/** Ctrl-C hangs up; once more, and the process ends. */
function hangUp(): AbortSignal {
  const hung = new AbortController()
  process.once('SIGINT', () => hung.abort())
  return hung.signal
}

try {
  process.exitCode = await main(process.argv.slice(2))
} catch (error) {
  const misused = UsageError.is(error) && error.name === 'UsageError'
  console.error(error instanceof Error ? error.message : error)
  if (misused) console.error('\n`antiphon --help` tells more.')
  process.exitCode = misused ? 2 : 1
}
