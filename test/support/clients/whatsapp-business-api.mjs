import api from 'whatsapp-business-api'

export function callsOf({ token, number, to, picture }) {
  const Client = api.default ?? api
  const client = new Client({ accountPhoneNumberId: number, accessToken: token })
  return {
    text: () => client.sendTextMessage(to, { message: 'Hello', preview_url: false }),
    link: () => client.sendMediaMessage(to, { external_link: 'https://files.example.com/dot.png', caption: 'A dot' }),
    file: () => client.sendMediaMessage(to, { local_path: picture, caption: 'A dot' }),
  }
}
