import { type LLM, ProviderError, samplesOf, type TTS } from 'antiphon'

export interface AcmeOptions {
  readonly apiKey: string
  readonly voice: string
  readonly url?: string
}

/** The voices of Acme: one request for each sentence, answered with raw 16-bit sound. */
export const acme = ({ apiKey, voice, url = 'https://acme.example/speak' }: AcmeOptions): TTS => ({
  name: `acme ${voice}`,
  sampleRate: 24_000,
  async *speak(text, { signal }) {
    for await (const sentence of text) {
      const response = await fetch(url, {
        method: 'POST',
        signal,
        headers: { authorization: `Bearer ${apiKey}`, 'content-type': 'application/json' },
        body: JSON.stringify({ voice, text: sentence }),
      })
      if (!response.ok) throw ProviderError.fromResponse(response)
      yield { audio: samplesOf(new Uint8Array(await response.arrayBuffer())), text: sentence }
    }
  },
})

/** A language model that says again what it hears. */
export const parrot: LLM = {
  name: 'parrot',
  async *generate({ messages }) {
    const last = messages.findLast((message) => message.role === 'user')
    yield { type: 'text', text: last ? `You said: ${last.text} ` : 'Good evening. ' }
    yield { type: 'text', text: 'What may I bring you?' }
  },
}
