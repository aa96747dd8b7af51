import business from 'whatsapp-business'

export function callsOf({ token, number, waba, to, inbound, picture }) {
  const client = new business.WABAClient({ apiToken: token, phoneId: number, accountId: waba })
  const send = (content) => client.sendMessage({ to, ...content })
  const button = { type: 'reply', reply: { id: 'yes', title: 'Yes' } }
  const upload = () => client.uploadMedia({ file: picture, type: 'image/png' })
  return {
    text: () => send({ type: 'text', text: { body: 'Olá, João' } }),
    template: () => send({ type: 'template', template: { name: 'hello_world', language: { code: 'en_US' } } }),
    buttons: () =>
      send({
        type: 'interactive',
        interactive: { type: 'button', body: { text: 'Sure?' }, action: { buttons: [button] } },
      }),
    image: async () => send({ type: 'image', image: { id: (await upload()).id, caption: 'A dot' } }),
    'rejected template': () => send({ type: 'template', template: { name: 'no_such', language: { code: 'en_US' } } }),
    read: () => client.markMessageAsRead(inbound),
    profile: () => client.getBusinessProfile(),
    number: () => client.getSingleBusinessPhoneNumber(number),
    numbers: async () => (await client.getBusinessPhoneNumbers()).data.map(({ id }) => id),
    'what an upload is': async () => client.getMedia((await upload()).id),
    'deletion of an upload': async () => client.deleteMedia((await upload()).id),
  }
}
