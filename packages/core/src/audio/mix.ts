/** The nearest number that a sample can hold. */
export function saturate(value: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(value)))
}

/** Sounds heard together, all from the beginning; as long as the longest. What gets too loud is cut off at the peak. */
export function mix(...tracks: readonly Int16Array[]): Int16Array {
  const mixed = new Int16Array(Math.max(0, ...tracks.map((track) => track.length)))
  for (let i = 0; i < mixed.length; i++) {
    let sum = 0
    for (const track of tracks) sum += track[i] ?? 0
    mixed[i] = saturate(sum)
  }
  return mixed
}

/** The same sound, `factor` times as loud. */
export function gain(samples: Int16Array, factor: number): Int16Array {
  return samples.map((sample) => saturate(sample * factor))
}
