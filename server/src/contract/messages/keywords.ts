import Type from 'typebox'
import { ownNumber, ProfileQuery } from '../profile.ts'
import { model, named, object, optional, text } from '../schema.ts'

export const keywordCharsMax = 60

export const KeywordsQuery = ProfileQuery

const words = (description: string, example: string) =>
  Type.Array(Type.String({ minLength: 1, maxLength: keywordCharsMax }), {
    description,
    maxItems: 50,
    examples: [[example]],
  })

export const Keywords = model(
  'Keywords',
  'Words with which customers stop marketing messages of a number, or allow them again. Without words, the setting is off.',
  {
    phone_number: text('The WhatsApp number they apply to.', { examples: ['+351210000000'] }),
    stop_words: Type.Array(Type.String(), {
      description: 'A message that is one of these opts out.',
      examples: [['STOP']],
    }),
    start_words: Type.Array(Type.String(), {
      description: 'A message that is one of these opts in.',
      examples: [['START']],
    }),
  },
)

export const KeywordsChange = named(
  'KeywordsChange',
  object(
    {
      from: optional(ownNumber('The WhatsApp number: one of your numbers, or its id. Default: your default number.')),
      stop_words: optional(
        words('Words that opt out, in every language your customers use. An empty list turns them off.', 'STOP'),
      ),
      start_words: optional(words('Words that opt in again. An empty list turns them off.', 'START')),
    },
    {
      description:
        'A message counts if it is nothing but one of the words: upper and lower case, surrounding spaces and punctuation do not matter.',
      examples: [{ stop_words: ['STOP', 'PARAR'], start_words: ['START'] }],
    },
  ),
)
