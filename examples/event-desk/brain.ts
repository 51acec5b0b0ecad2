import { type Script, scriptedModel, type Talk } from '@antiphon/embedded'

const PRICE = {
  examples: ['how much does it cost', 'wait, how much is it', 'is it free of charge', 'what is the price of a ticket'],
  answer: 'It is free of charge.',
}

const deskScript: Script = {
  opening: 'Event desk, good morning. What can I do for you?',
  intents: [
    {
      examples: [
        'I would like to register for the summer conference',
        'can you put me on the list for the conference',
        'sign me up for the conference, please',
      ],
      answer: {
        say: 'With pleasure. I will put you on the list for the summer conference. There are still some places left, so it will only take a moment.',
        call: 'register',
        args: { event: 'summer conference' },
      },
    },
    PRICE,
    { examples: ['thank you, goodbye', 'no, that is all, goodbye', 'bye bye'], answer: 'Goodbye, and see you there!' },
  ],
  results: {
    register: (output, { slots }) =>
      slots.email ? `${output} Your ticket is on its way. Goodbye!` : `I am sorry. ${output}`,
  },
  fallback: 'I can register you for the summer conference. Shall I?',
}

const QUESTION = 'May I have your e-mail address, please, so that I know where to send your ticket?'

const readBack = ({ slots }: Talk) => (slots.email ? `I have ${slots.email}. Is that right?` : QUESTION)

/** What the agent said last is about this very address. */
function wasReadBack({ messages, slots: { email } }: Talk): boolean {
  const last = messages.findLast((message) => message.role === 'assistant')
  return Boolean(email && last?.text.includes(email))
}

const emailScript: Script = {
  tool: 'finish',
  opening: QUESTION,
  intents: [
    { when: ({ heard }) => heard.email !== undefined, answer: readBack },
    { examples: PRICE.examples, answer: `${PRICE.answer} ${QUESTION}` },
    {
      examples: ["yes, that's right", 'yes, please', 'that is correct', 'exactly'],
      answer: (talk) => (wasReadBack(talk) ? { call: 'finish', args: { email: talk.slots.email } } : readBack(talk)),
    },
    {
      examples: ['no', "no, that's wrong", 'that is not correct', 'not quite'],
      answer: 'I am sorry. Would you say it again, please?',
    },
  ],
  fallback: readBack,
}

/** A scripted demo brain in place of a language model: it knows this one kind of call. */
export const brain = scriptedModel([emailScript, deskScript])
