// node --conditions=source --import ./tools/source/register.mjs some/program.ts
import { register } from 'node:module'

register('./hooks.mjs', import.meta.url)
