import type { Script } from './scripted.js'

/** Enough to hear that the ear, the voice and the turns work. */
export const smallTalk: Script = {
  opening: 'Hello! I am a scripted demo, so I only know some small talk. How are you?',
  intents: [
    {
      examples: ['hello', 'hi there', 'good morning', 'hey, is anyone there'],
      answer: 'Hello! It is nice to hear you. How are you?',
    },
    {
      examples: ['I am fine, thank you', 'very well, and you', 'not bad', "I'm good, how are you"],
      answer: 'I am glad to hear that. As for me, I run without a key and without a network, and I feel fine.',
    },
    {
      examples: ['who are you', 'what are you', 'are you a robot', 'what is your name'],
      answer:
        'I am a scripted demo brain: I pick my answers by examples. Give the session a language model, and somebody cleverer will answer you.',
    },
    {
      examples: ['what can you do', 'can you help me', 'I need help', 'what do you know'],
      answer:
        'You can greet me, ask who I am, talk over me, and say goodbye. Try to interrupt me while I am speaking: I will stop, and I will know how much of this you have heard.',
    },
    {
      examples: ['thank you', 'thanks a lot', 'that is very kind'],
      answer: 'You are welcome.',
    },
    {
      examples: ['goodbye', 'bye', 'see you later', 'that is all, thank you, goodbye'],
      answer: 'Goodbye! It was nice to talk to you.',
    },
  ],
  fallback: 'That is not in my script. You can ask me who I am, or what I can do.',
}
