type Body = Record<string, unknown>

/** A message of every kind, as its clients write them; `to` comes with the request. */
const contents: Readonly<Record<string, Body>> = {
  text: { type: 'text', text: { body: 'Hello' } },
  'text with a link': { type: 'text', text: { body: 'https://example.com', preview_url: true } },
  'text without a type': { text: { body: 'Hello' } },
  'text of a group of people': { recipient_type: 'individual', type: 'text', text: { body: 'Olá 👋' } },
  template: { type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } },
  'template that is missing': { type: 'template', template: { name: 'no_such', language: { code: 'en_US' } } },
  'template in another language': { type: 'template', template: { name: 'hello_world', language: { code: 'xx_YY' } } },
  image: { type: 'image', image: { link: 'https://example.com/a.png', caption: 'A' } },
  video: { type: 'video', video: { link: 'https://example.com/a.mp4' } },
  audio: { type: 'audio', audio: { link: 'https://example.com/a.mp3' } },
  document: { type: 'document', document: { link: 'https://example.com/a.pdf', filename: 'a.pdf', caption: 'A' } },
  sticker: { type: 'sticker', sticker: { link: 'https://example.com/a.webp' } },
  'image by an id that is unknown': { type: 'image', image: { id: '1234567890123456' } },
  location: { type: 'location', location: { latitude: 38.7, longitude: -9.1, name: 'Shop', address: 'Rua 1' } },
  'location as texts': { type: 'location', location: { latitude: '38.7', longitude: '-9.1' } },
  contacts: { type: 'contacts', contacts: [{ name: { formatted_name: 'Ana Sousa', first_name: 'Ana' } }] },
  reaction: { type: 'reaction', reaction: { message_id: 'wamid.HBgLMTIwMjU1NTAxMDAVAgA', emoji: '👍' } },
  buttons: interactive('button', {
    body: { text: 'Sure?' },
    action: { buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }] },
  }),
  list: interactive('list', {
    header: { type: 'text', text: 'Sizes' },
    body: { text: 'Which?' },
    footer: { text: 'In stock' },
    action: { button: 'Choose', sections: [{ title: 'All', rows: [{ id: 's', title: 'Small' }] }] },
  }),
  link: interactive('cta_url', {
    body: { text: 'See it' },
    action: { name: 'cta_url', parameters: { display_text: 'Open', url: 'https://example.com' } },
  }),
  'location request': interactive('location_request_message', {
    body: { text: 'Where are you?' },
    action: { name: 'send_location' },
  }),
  'action inside a text': interactive('button', {
    body: { text: 'Sure?' },
    action: JSON.stringify({ buttons: [{ type: 'reply', reply: { id: 'yes', title: 'Yes' } }] }),
  }),
  'voice call': interactive('voice_call', {
    body: { text: 'Call us' },
    action: { name: 'voice_call', parameters: { display_text: 'Call' } },
  }),
}

function interactive(type: string, rest: Body): Body {
  return { type: 'interactive', interactive: { type, ...rest } }
}

/** Broken and odd in one way each: what clients and their users get wrong. */
function* changesOf(body: Body): Generator<[how: string, body: Body]> {
  const kind = typeof body.type === 'string' ? body.type : 'text'
  const said = body[kind]
  yield ['as it is', body]
  yield ['without a reply', { ...body, context: null }]
  yield ['with a field that nobody knows', { ...body, flavour: 'sweet' }]
  yield ['with data of its own', { ...body, biz_opaque_callback_data: 'order 7' }]
  yield ['without its content', { ...body, [kind]: undefined }]
  yield ['with a text as content', { ...body, [kind]: 'Hello' }]
  yield ['with null as content', { ...body, [kind]: null }]
  yield ['with a list where one thing belongs', { ...body, context: [] }]
  if (typeof said === 'object' && said !== null && !Array.isArray(said)) {
    const [first] = Object.keys(said)
    if (first) {
      yield [`with null as ${first}`, { ...body, [kind]: { ...said, [first]: null } }]
      yield [`with a list as ${first}`, { ...body, [kind]: { ...said, [first]: [] } }]
    }
  }
}

/** Bodies as such, whatever their kind. */
const others: Readonly<Record<string, Body>> = {
  'an unknown kind': { type: 'hologram', hologram: { body: 'Hello' } },
  'a kind in capitals': { type: 'TEXT', text: { body: 'Hello' } },
  'a kind that is no text': { type: 7, text: { body: 'Hello' } },
  'a text of 4,096 characters': { type: 'text', text: { body: 'a'.repeat(4_096) } },
  'a text of 4,097 characters': { type: 'text', text: { body: 'a'.repeat(4_097) } },
  'an empty text': { type: 'text', text: { body: '' } },
  'nothing but spaces': { type: 'text', text: { body: '   ' } },
  'no product': { messaging_product: undefined, type: 'text', text: { body: 'Hello' } },
  'another product': { messaging_product: 'telegram', type: 'text', text: { body: 'Hello' } },
  'no recipient': { to: undefined, type: 'text', text: { body: 'Hello' } },
  'a recipient that is no number': { to: 'Ana', type: 'text', text: { body: 'Hello' } },
  'a recipient that is empty': { to: '', type: 'text', text: { body: 'Hello' } },
  'a recipient as a number': { to: 12_025_550_100, type: 'text', text: { body: 'Hello' } },
}

export function graphBodies(): { title: string; body: Body }[] {
  const changed = Object.entries(contents).flatMap(([kind, content]) =>
    [...changesOf(content)].map(([how, body]) => ({ title: `${kind}, ${how}`, body })),
  )
  return [...changed, ...Object.entries(others).map(([title, body]) => ({ title, body }))]
}
