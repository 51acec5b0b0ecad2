import { describe, expect, test } from 'vitest'
import { Mailbox } from '../../src/runtime/mailbox.js'
import { Scope } from '../../src/runtime/scope.js'
import { settle } from './world.js'

const nobody = () => {}

describe('a scope', () => {
  test('is left when the last of its work has ended', async () => {
    const scope = new Scope('root')
    let release = nobody
    const ended: string[] = []
    scope.start({
      name: 'slow',
      run: () => new Promise<void>((resolve) => (release = resolve)),
      ended: () => ended.push('slow'),
      failed: nobody,
    })
    await settle()
    const left = scope.leave().then(() => ended.push('left'))
    await settle()
    expect([scope.running, ended]).toEqual([['slow'], []])
    release()
    await left
    expect(ended).toEqual(['slow', 'left'])
  })

  test('aborts its work, but none that has ended', async () => {
    const scope = new Scope('root')
    const signals: AbortSignal[] = []
    const run = (signal: AbortSignal) => void signals.push(signal)
    scope.start({ name: 'quick', run, failed: nobody })
    scope.start({
      name: 'slow',
      run: (signal) => {
        signals.push(signal)
        return new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
      },
      failed: nobody,
    })
    await settle()
    await scope.leave(new Error('enough'))
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true])
    expect(signals[1]?.reason).toMatchObject({ message: 'enough' })
  })

  test('tells what work has thrown, at once or later, after it has ended', async () => {
    const scope = new Scope('root')
    const failures: unknown[] = []
    const failed = (error: unknown) => failures.push([(error as Error).message, scope.running.length])
    scope.start({
      name: 'rash',
      run: () => {
        throw new Error('at once')
      },
      failed,
    })
    await settle()
    scope.start({ name: 'slow', run: () => settle().then(() => Promise.reject(new Error('later'))), failed })
    await settle()
    await settle()
    expect(failures).toEqual([
      ['at once', 0],
      ['later', 0],
    ])
  })

  test('that was aborted aborts what is started in it', async () => {
    const scope = new Scope('root')
    scope.abort()
    let aborted = false
    scope.start({
      name: 'late',
      run: (signal) => {
        aborted = signal.aborted
      },
      failed: nobody,
    })
    await scope.leave()
    expect(aborted).toBe(true)
  })
})

test('a mailbox handles one thing to its end before the next', () => {
  const seen: string[] = []
  const mailbox = new Mailbox<number>((item) => {
    seen.push(`${item} begins`)
    if (item === 1) {
      mailbox.put(2)
      mailbox.put(3)
    }
    seen.push(`${item} ends`)
  })
  mailbox.put(1)
  expect(seen).toEqual(['1 begins', '1 ends', '2 begins', '2 ends', '3 begins', '3 ends'])
  expect(mailbox.busy).toBe(false)
})
