import { beforeEach, describe, expect, it } from 'vitest'
import { TranscriptSync } from '../../src/speaking/transcript.js'
import { estimate } from '../../src/speaking/words.js'
import { VirtualClock } from '../../src/testing/clock.js'

const text = 'one two three four five six seven eight nine ten'

let clock: VirtualClock
let shown: [at: number, text: string, final: boolean][]
let heard: [at: number, position: number][]

/** A line that plays in step with the clock. */
class Player {
  #since: number | null = null
  #base = 0

  get position(): number {
    return this.#base + (this.#since === null ? 0 : clock.now() - this.#since)
  }
  play(): void {
    this.#since = clock.now()
  }
  pause(): void {
    this.#base = this.position
    this.#since = null
  }
}

function setUp(): { track: Player; sync: TranscriptSync } {
  const track = new Player()
  const sync = new TranscriptSync({
    clock,
    track,
    shown: (words, final) => shown.push([clock.now(), words, final]),
    position: (position) => heard.push([clock.now(), position]),
  })
  sync.append(text)
  return { track, sync }
}

const times = () => shown.map(([at]) => Math.round(at))
const lastWords = () => shown.map(([, words]) => words.split(' ').at(-1))

beforeEach(() => {
  clock = new VirtualClock()
  shown = []
  heard = []
})

describe('words without times of their own', () => {
  it('are shown in step with the sound, a third into each (X-11)', async () => {
    const { track, sync } = setUp()
    for (const mark of estimate(text, 4_000)) sync.mark(mark)
    await clock.advanceTo(200)
    track.play()
    sync.play()
    await clock.advanceTo(4_200)
    const expected = [330, 640, 1_010, 1_370, 1_740, 2_100, 2_650, 3_200, 3_560, 3_920]
    expect(times()).toHaveLength(10)
    for (const [i, at] of times().entries()) expect(Math.abs(at - expected[i]!)).toBeLessThanOrEqual(150)
    expect(lastWords()).toEqual(text.split(' '))
    sync.finish(text)
    expect(shown.at(-1)).toEqual([4_200, text, true])
  })

  it('stop at a pause and go on from the same position (X-12)', async () => {
    const { track, sync } = setUp()
    for (const mark of estimate(text, 4_000)) sync.mark(mark)
    await clock.advanceTo(200)
    track.play()
    sync.play()
    await clock.advanceTo(1_500)
    track.pause()
    sync.pause()
    expect(clock.openTimers).toBe(0)
    const before = shown.length
    await clock.advanceTo(4_300)
    expect(shown).toHaveLength(before)
    track.play()
    sync.resume()
    await clock.advanceTo(7_000)
    const five = shown.find(([, words]) => words.endsWith('five'))!
    const ten = shown.find(([, words]) => words.endsWith('ten'))!
    expect(Math.abs(five[0] - 4_480)).toBeLessThanOrEqual(150)
    expect(Math.abs(ten[0] - 6_670)).toBeLessThanOrEqual(150)
    expect(clock.openTimers).toBeLessThanOrEqual(1)
  })

  it('leave out tags without a delay (X-18)', async () => {
    const marked = '<b>one</b> <break time="1s"/> two'
    const track = new Player()
    const sync = new TranscriptSync({ clock, track, shown: (words) => shown.push([clock.now(), words, false]) })
    sync.append(marked)
    for (const mark of estimate(marked, 1_000)) sync.mark(mark)
    track.play()
    sync.play()
    await clock.advanceTo(1_000)
    expect(shown.map(([at, words]) => [Math.round(at), words])).toEqual([
      [0, '<b>'],
      [167, '<b>one'],
      [500, '<b>one</b> <break time="1s"/>'],
      [667, marked],
    ])
  })
})

describe('words with times of their own', () => {
  it('are shown when they begin (X-19)', async () => {
    const { track, sync } = setUp()
    sync.mark({ chars: 3, start: 100, at: 400, precise: true })
    sync.mark({ chars: 7, start: 900, at: 1_200, precise: true })
    track.play()
    sync.play()
    await clock.advanceTo(2_000)
    expect(shown).toEqual([
      [100, 'one', false],
      [900, 'one two', false],
    ])
    expect(heard).toEqual([
      [400, 400],
      [1_200, 1_200],
    ])
  })

  it('may come while they are said already', async () => {
    const { track, sync } = setUp()
    track.play()
    sync.play()
    await clock.advanceTo(500)
    sync.mark({ chars: 3, start: 100, at: 400, precise: true })
    expect(shown).toEqual([[500, 'one', false]])
    expect(heard).toEqual([[500, 500]])
  })
})

describe('TranscriptSync', () => {
  it('shows nothing before the speech is played, and has one timer at most', async () => {
    const { track, sync } = setUp()
    for (const mark of estimate(text, 4_000)) sync.mark(mark)
    await clock.advanceTo(1_000)
    expect(shown).toEqual([])
    expect(clock.openTimers).toBe(0)
    track.play()
    sync.play()
    expect(clock.openTimers).toBe(1)
    await clock.advanceTo(2_000)
    expect(clock.openTimers).toBe(1)
  })

  it('tells the position at the end of each word, but not before and not while it is paused', async () => {
    const { track, sync } = setUp()
    sync.mark({ chars: 3, at: 300 })
    sync.mark({ chars: 7, at: 600 })
    track.play()
    sync.play()
    await clock.advanceTo(299)
    expect(heard).toEqual([])
    await clock.advanceTo(400)
    track.pause()
    sync.pause()
    await clock.advanceTo(1_000)
    expect(heard).toEqual([[300, 300]])
    track.play()
    sync.resume()
    await clock.advanceTo(2_000)
    expect(heard).toEqual([
      [300, 300],
      [1_200, 600],
    ])
  })

  it('tells that the line plays on while the voice tells nothing, and does not when it stands still', async () => {
    const { track, sync } = setUp()
    track.play()
    sync.play()
    await clock.advanceTo(2_500)
    expect(heard).toEqual([
      [1_000, 1_000],
      [2_000, 2_000],
    ])
    track.pause()
    await clock.advanceTo(6_000)
    expect(heard).toHaveLength(2)
    sync.finish('')
    expect(clock.openTimers).toBe(0)
  })

  it('goes by the position of the line, which may stand still', async () => {
    const { sync, track } = setUp()
    sync.mark({ chars: 3, start: 100, at: 300, precise: true })
    sync.play()
    await clock.advanceTo(1_000)
    expect(shown).toEqual([])
    track.play()
    await clock.advanceTo(1_350)
    expect(shown[0]![0]).toBeGreaterThanOrEqual(1_100)
    expect(shown[0]![0]).toBeLessThanOrEqual(1_120)
  })

  it('shows exactly what was heard at a cut, and nothing after it', async () => {
    const { track, sync } = setUp()
    for (const mark of estimate(text, 4_000)) sync.mark(mark)
    track.play()
    sync.play()
    await clock.advanceTo(1_000)
    sync.finish('one two')
    sync.mark({ chars: text.length, at: 1 })
    sync.resume()
    sync.play()
    sync.pause()
    sync.finish('more')
    await clock.advanceTo(5_000)
    expect(shown.at(-1)).toEqual([1_000, 'one two', true])
    expect(shown.filter(([, , final]) => final)).toHaveLength(1)
    expect(clock.openTimers).toBe(0)
  })

  it('may be paused, resumed and finished by whoever is told', async () => {
    const track = new Player()
    const events: string[] = []
    const sync: TranscriptSync = new TranscriptSync({
      clock,
      track,
      shown: (words, final) => {
        events.push(words)
        if (words === 'one') sync.pause()
        if (words === 'one') sync.resume()
        if (words === 'one two' && !final) sync.finish('one')
      },
      position: () => events.push('position'),
    })
    sync.append(text)
    for (const mark of estimate(text, 4_000)) sync.mark(mark)
    track.play()
    sync.play()
    await clock.advanceTo(200)
    expect(clock.openTimers).toBe(1)
    await clock.advanceTo(5_000)
    expect(events).toEqual(['one', 'position', 'one two', 'one'])
  })
})
