import cloud from 'whatsapp-cloud-api'

export function callsOf({ token, number, to }) {
  const bot = cloud.createBot(number, token)
  return {
    text: () => bot.sendText(to, 'Hello', { preview_url: true }),
    image: () => bot.sendImage(to, 'https://files.example.com/dot.png', { caption: 'A dot' }),
    document: () => bot.sendDocument(to, 'https://files.example.com/bill.pdf', { filename: 'bill.pdf' }),
    location: () => bot.sendLocation(to, -9.1, 38.7, { name: 'Shop' }),
    template: () => bot.sendTemplate(to, 'hello_world', 'en_US'),
    buttons: () => bot.sendReplyButtons(to, 'Sure?', { yes: 'Yes', no: 'No' }),
    list: () => bot.sendList(to, 'Choose', 'Which?', { Sizes: [{ id: 's', title: 'Small' }] }),
    contacts: () =>
      bot.sendContacts(to, [{ name: { formatted_name: 'Ann', first_name: 'Ann' }, phones: [{ phone: '+1202555' }] }]),
    'rejected template': () => bot.sendTemplate(to, 'no_such', 'en_US'),
  }
}
