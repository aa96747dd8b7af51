/** A request of each type, for the document. */
export const interactiveExamples = [
  {
    to: '+12025550100',
    type: 'buttons',
    body: 'Is the delivery tomorrow at ten all right?',
    buttons: [
      { id: 'yes', title: 'Yes' },
      { id: 'later', title: 'Later, please' },
    ],
  },
  {
    to: '+12025550100',
    type: 'list',
    body: 'What is it about?',
    button: 'Choose',
    sections: [{ rows: [{ id: 'order', title: 'My order', description: 'Where it is, when it comes' }] }],
  },
  { to: '+12025550100', type: 'quick_replies', body: 'How was it?', replies: ['Great', 'So so', 'Bad'] },
  {
    to: '+12025550100',
    type: 'cta_url',
    body: 'Your order is on its way.',
    button: 'Track it',
    url: 'https://shop.example/orders/A-1001',
  },
  { to: '+12025550100', type: 'location_request', body: 'Where shall we deliver it?' },
  {
    to: '+12025550100',
    type: 'flow',
    body: 'Choose a time that suits you.',
    button: 'Book',
    flow: { id: '1197715005513101', token: 'A-1001', screen: 'BOOKING', screen_data: { days: ['Mon', 'Tue'] } },
  },
  {
    to: '+12025550100',
    type: 'product',
    body: 'The one you asked about.',
    catalog_id: '194836987003835',
    product_id: 'SKU-10',
  },
  {
    to: '+12025550100',
    type: 'product_list',
    header: { type: 'text', text: 'For your garden' },
    body: 'These are in stock.',
    catalog_id: '194836987003835',
    product_sections: [{ title: 'Pots', product_ids: ['SKU-10', 'SKU-11'] }],
  },
  { to: '+12025550100', type: 'catalog', body: 'All we have.', thumbnail_product_id: 'SKU-10' },
  {
    to: '+12025550100',
    type: 'carousel',
    body: 'Two of our latest.',
    cards: ['echeveria', 'haworthia'].map((plant) => ({
      header: { type: 'image', link: `https://shop.example/${plant}.jpeg` },
      body: `*${plant}*`,
      button: 'Buy now',
      url: `https://shop.example/${plant}`,
    })),
  },
  {
    to: '+919876543210',
    type: 'address',
    body: 'Where shall we deliver it?',
    address: { country: 'IN', values: { name: 'Asha', in_pin_code: '400063' } },
  },
  { to: '+12025550100', type: 'call_permission', body: 'May we call you about your order?' },
]
