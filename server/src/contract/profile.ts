import Type from 'typebox'
import { named, nullable, object, oneOf, optional, part, text, withHint } from './schema.ts'

/** Meta's categories of businesses, with the words that customers read. */
export const verticals = {
  ALCOHOL: 'Alcoholic beverages',
  APPAREL: 'Clothing and apparel',
  AUTO: 'Automotive',
  BEAUTY: 'Beauty, spa and salon',
  EDU: 'Education',
  ENTERTAIN: 'Entertainment',
  EVENT_PLAN: 'Event planning and service',
  FINANCE: 'Finance and banking',
  GOVT: 'Public service',
  GROCERY: 'Food and grocery',
  HEALTH: 'Medical and health',
  HOTEL: 'Hotel and lodging',
  NONPROFIT: 'Non-profit',
  ONLINE_GAMBLING: 'Online gambling and gaming',
  OTC_DRUGS: 'Over-the-counter drugs',
  OTHER: 'Other',
  PHYSICAL_GAMBLING: 'Non-online gambling and gaming',
  PROF_SERVICES: 'Professional services',
  RESTAURANT: 'Restaurant',
  RETAIL: 'Shopping and retail',
  TRAVEL: 'Travel and transportation',
} as const satisfies Record<string, string>

const verticalWords = Object.keys(verticals) as (keyof typeof verticals)[]

/** The number that a request is about, chosen as sends choose theirs. */
export const ownNumber = (description: string) => text(description, { minLength: 1, maxLength: 64 })

export const ProfileQuery = object({
  from: Type.Optional(ownNumber('The WhatsApp number: one of your numbers, or its id. Default: your default number.')),
})

const example = {
  about: 'Open every day from 9 to 18',
  address: 'Rua Augusta 1, Lisboa',
  description: 'Plants and everything they need.',
  email: 'hello@acme.test',
  vertical: 'RETAIL',
  websites: ['https://acme.test'],
}

export const Profile = named(
  'BusinessProfile',
  object(
    {
      phone_number: text('The WhatsApp number that the profile belongs to.', { examples: ['+351210000000'] }),
      about: nullable(text('The line under the name.')),
      address: nullable(text('Address of the business.')),
      description: nullable(text('What the business does.')),
      email: nullable(text('Email address for customers.')),
      vertical: nullable(text("Meta's category of the business. Meta may add others.", { examples: ['RETAIL'] })),
      websites: Type.Array(Type.String(), { description: 'At most 2 addresses.' }),
      photo_url: nullable(text('Address of the photo at Meta; it expires after some days.')),
    },
    {
      description: 'What customers see about a number, as Meta has it at this moment.',
      examples: [{ phone_number: '+351210000000', ...example, photo_url: 'https://pps.whatsapp.net/v/t61/photo.jpg' }],
    },
  ),
)

const removable = (description: string, maxLength: number) =>
  optional(text(`${description} An empty text removes it.`, { maxLength }))

export const ProfileChanges = named(
  'BusinessProfileChanges',
  object(
    {
      from: optional(ownNumber('The WhatsApp number: one of your numbers, or its id. Default: your default number.')),
      about: optional(
        text('The line under the name, 1 to 139 characters. It can be changed, but not removed.', {
          maxLength: 139,
          pattern: String.raw`\S`,
          ...withHint('too_short', 'Give at least one character; Meta does not let it be empty.', ['pattern']),
        }),
      ),
      address: removable('Address of the business, at most 256 characters.', 256),
      description: removable('What the business does, at most 512 characters.', 512),
      email: optional(
        text('Email address for customers, at most 128 characters. An empty text removes it.', {
          maxLength: 128,
          pattern: String.raw`^$|^[^\s@]+@[^\s@]+\.[^\s@]+$`,
          ...withHint('invalid_format', 'Write an email address, for example hello@example.com.', ['pattern']),
        }),
      ),
      vertical: optional(
        oneOf(['', ...verticalWords] as const, {
          description: 'Category of the business. An empty text removes it.',
        }),
      ),
      websites: optional(
        Type.Array(
          Type.String({
            maxLength: 256,
            pattern: String.raw`^[Hh][Tt][Tt][Pp][Ss]?://[^\s]+$`,
            ...withHint('invalid_url', 'Write the whole address, with https:// or http://.', ['pattern']),
          }),
          { maxItems: 2, description: 'At most 2 addresses of at most 256 characters. An empty list removes them.' },
        ),
      ),
      photo: optional(
        part('The photo: a square JPEG or PNG of at most 5 MB, best with 640 pixels. Give `media_id` or `link`.', {
          media_id: optional(text('Id of an uploaded file.', { minLength: 1, maxLength: 255 })),
          link: optional(
            text('Public https address of the file, which the gateway fetches.', {
              maxLength: 2_048,
              pattern: '^[Hh][Tt][Tt][Pp][Ss]://',
              ...withHint('https_required', 'A link must start with https://.'),
            }),
          ),
        }),
      ),
    },
    { description: 'The fields to change; the others stay as they are.', examples: [example] },
  ),
)

export const ProfilePhotoQuery = object({
  from: ProfileQuery.properties.from,
  t: Type.Optional(text('Changes with the photo, so that browsers load the new one.', { maxLength: 64 })),
})
