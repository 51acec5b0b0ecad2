import { embedded } from '@antiphon/embedded'
import { microphone } from '@antiphon/local'
import { agent, start } from 'antiphon'

const host = agent({ name: 'host', instructions: 'You are the host of a small bistro. Be brief and warm.' })

await using session = start(host, { line: microphone(), ...embedded() })
session.on('user-turn-end', ({ text }) => console.log('user:', text))
session.on('speech-end', ({ heard }) => console.log('host:', heard))
await session.closed
