import type { AddressForm, InteractiveForm, NamedFile } from '../../../contract/messages/interactive-content.ts'
import { bodyProblem, type FieldProblem } from '../../../contract/schema.ts'
import {
  checkAddress,
  checkButtons,
  checkGiven,
  checkId,
  checkList,
  checkPage,
  checkReplies,
  checkWords,
  rendersAsButtons,
  repliesOf,
} from './check-choices.ts'
import {
  checkCarousel,
  checkOrder,
  checkOrderStatus,
  checkProductCarousel,
  checkProductList,
  idMax,
  orderOf,
} from './check-products.ts'
import type {
  AddressRequest,
  FlowRequest,
  InteractiveHeader,
  InteractiveRequest,
  ListSection,
} from './interactive-request.ts'

/** What is around the part of a message that a customer taps; no headers means that it has none. */
export type Frame = {
  noun: string
  headers: readonly InteractiveHeader['type'][]
  bodyMax: number
  hasFooter: boolean
  needsHeader?: true
  mayLackBody?: true
}

type Form<Request> = Frame & {
  /** Its own fields of the request: those that it needs, and those that it may have. */
  needs: readonly string[]
  may?: readonly string[]
  check(request: Request): FieldProblem[]
  content(request: Request): InteractiveForm<NamedFile>
}

type Forms = { [Type in InteractiveRequest['type']]: Form<Extract<InteractiveRequest, { type: Type }>> }

const anyHeader = ['text', 'image', 'video', 'document'] as const

/** Types of interactive messages: what each is made of, within which limits, and what is kept and sent of it. */
export const forms: Forms = {
  buttons: {
    noun: 'a message with buttons',
    headers: anyHeader,
    bodyMax: 1024,
    hasFooter: true,
    needs: ['buttons'],
    check: ({ buttons }) => checkButtons(buttons),
    content: ({ buttons }) => ({ kind: 'buttons', buttons }),
  },
  list: {
    noun: 'a list',
    headers: ['text'],
    bodyMax: 4096,
    hasFooter: true,
    needs: ['button', 'sections'],
    check: checkList,
    content: ({ button, sections }) => ({ kind: 'list', button, sections: sections.map(section) }),
  },
  // The frame is that of what the replies become.
  quick_replies: {
    noun: 'a message with quick replies',
    headers: anyHeader,
    bodyMax: 1024,
    hasFooter: true,
    needs: ['replies'],
    check: checkReplies,
    content: ({ replies }) =>
      rendersAsButtons(replies)
        ? { kind: 'buttons', buttons: repliesOf(replies) }
        : { kind: 'list', button: 'Options', sections: [section({ rows: repliesOf(replies) })] },
  },
  cta_url: {
    noun: 'a message with a link button',
    headers: anyHeader,
    bodyMax: 1024,
    hasFooter: true,
    needs: ['button', 'url'],
    check: ({ button, url }) => [...checkWords(button, 'button', 20), ...checkPage(url, 'url')],
    content: ({ button, url }) => ({ kind: 'cta_url', button, url }),
  },
  location_request: {
    noun: 'a location request',
    headers: [],
    bodyMax: 1024,
    hasFooter: false,
    needs: [],
    check: () => [],
    content: () => ({ kind: 'location_request' }),
  },
  flow: {
    noun: 'a Flow',
    headers: anyHeader,
    bodyMax: 1024,
    hasFooter: true,
    needs: ['button', 'flow'],
    check: checkFlow,
    content: ({ button, flow }) => ({ kind: 'flow', button, flow: { ...flowDefaults, ...given(flow) } }),
  },
  product: {
    noun: 'a product',
    headers: [],
    mayLackBody: true,
    bodyMax: 1024,
    hasFooter: true,
    needs: ['catalog_id', 'product_id'],
    check: ({ catalog_id, product_id }) => [
      ...checkId(catalog_id, 'catalog_id', idMax),
      ...checkId(product_id, 'product_id', idMax),
    ],
    content: ({ catalog_id, product_id }) => ({ kind: 'product', catalog_id, product_id }),
  },
  product_list: {
    noun: 'a list of products',
    headers: ['text'],
    needsHeader: true,
    bodyMax: 1024,
    hasFooter: true,
    needs: ['catalog_id', 'product_sections'],
    check: checkProductList,
    content: ({ catalog_id, product_sections }) => ({
      kind: 'product_list',
      catalog_id,
      product_sections: product_sections.map(({ title = null, product_ids }) => ({ title, product_ids })),
    }),
  },
  catalog: {
    noun: 'a catalog',
    headers: [],
    bodyMax: 1024,
    hasFooter: true,
    needs: [],
    may: ['thumbnail_product_id'],
    check: ({ thumbnail_product_id }) =>
      thumbnail_product_id == null ? [] : checkId(thumbnail_product_id, 'thumbnail_product_id', idMax),
    content: ({ thumbnail_product_id = null }) => ({ kind: 'catalog', thumbnail_product_id }),
  },
  product_carousel: {
    noun: 'a carousel of products',
    headers: [],
    bodyMax: 1024,
    hasFooter: false,
    needs: ['catalog_id', 'product_ids'],
    check: checkProductCarousel,
    content: ({ catalog_id, product_ids }) => ({ kind: 'product_carousel', catalog_id, product_ids }),
  },
  carousel: {
    noun: 'a carousel',
    headers: [],
    bodyMax: 1024,
    hasFooter: false,
    needs: ['cards'],
    check: checkCarousel,
    content: ({ cards }) => ({ kind: 'carousel', cards: cards.map((card) => ({ ...cardDefaults, ...card })) }),
  },
  address: {
    noun: 'an address form',
    headers: anyHeader,
    bodyMax: 1024,
    hasFooter: true,
    needs: ['address'],
    check: checkAddress,
    content: ({ address }) => ({ kind: 'address', address: addressOf(address) }),
  },
  call_permission: {
    noun: 'a request to call',
    headers: [],
    mayLackBody: true,
    bodyMax: 1024,
    hasFooter: false,
    needs: [],
    check: () => [],
    content: () => ({ kind: 'call_permission' }),
  },
  contact_info: {
    noun: 'a request for the phone number',
    headers: [],
    bodyMax: 1024,
    hasFooter: false,
    needs: [],
    check: () => [],
    content: () => ({ kind: 'contact_info' }),
  },
  order_details: {
    noun: 'an order',
    headers: anyHeader,
    bodyMax: 1024,
    hasFooter: true,
    needs: ['order'],
    check: checkOrder,
    content: ({ order }) => ({ kind: 'order_details', order: orderOf(order) }),
  },
  order_status: {
    noun: 'the status of an order',
    headers: anyHeader,
    bodyMax: 1024,
    hasFooter: true,
    needs: ['order_status'],
    check: checkOrderStatus,
    content: ({ order_status: { description = null, paid_at = null, ...status } }) => ({
      kind: 'order_status',
      order_status: { ...status, description, paid_at },
    }),
  },
}

export function formOf(request: InteractiveRequest): Form<InteractiveRequest> {
  return forms[request.type] as Form<InteractiveRequest>
}

export function frameOf(request: InteractiveRequest): Frame {
  if (request.type !== 'quick_replies') return forms[request.type]
  return rendersAsButtons(request.replies) ? forms.buttons : forms.list
}

const cardDefaults = { body: null, button: null, url: null, buttons: null }

const flowDefaults = {
  id: null,
  name: null,
  token: null,
  mode: 'published',
  action: 'navigate',
  screen: null,
  screen_data: null,
} as const

function given<Fields extends object>(fields: Fields) {
  const entries = Object.entries(fields).filter(([, value]) => value !== null && value !== undefined)
  return Object.fromEntries(entries) as { [Name in keyof Fields]?: NonNullable<Fields[Name]> }
}

function addressOf({ country, values, saved_addresses, validation_errors }: AddressRequest['address']): AddressForm {
  return {
    country,
    values: values ? given(values) : null,
    saved_addresses: saved_addresses?.map((saved) => ({ id: saved.id, values: given(saved.values) })) ?? null,
    validation_errors: validation_errors ? given(validation_errors) : null,
  }
}

function section({ title, rows }: ListSection) {
  return { title: title ?? null, rows: rows.map((row) => ({ ...row, description: row.description ?? null })) }
}

/** Which Flow, and how it opens. Whether there is such a Flow, and that it is published, is for Meta to say. */
function checkFlow({ button, flow }: FlowRequest): FieldProblem[] {
  return [
    ...checkWords(button, 'button', 30),
    ...(/\p{Extended_Pictographic}/u.test(button)
      ? [bodyProblem('button', 'invalid_value', 'Leave out the emoji: the button of a Flow has none.')]
      : []),
    ...checkNamed(flow),
    ...checkGiven(flow.token, 'flow.token', 1024),
    ...checkGiven(flow.screen, 'flow.screen', 256),
    ...checkStart(flow),
  ]
}

function checkNamed({ id, name }: FlowRequest['flow']): FieldProblem[] {
  if (id && name) return [bodyProblem('flow', 'mutually_exclusive', 'Give either `id` or `name`, not both.')]
  if (!id && !name) return [bodyProblem('flow', 'one_of_required', 'Give the `id` or the `name` of the Flow.')]
  return [...checkGiven(id, 'flow.id', 256), ...checkGiven(name, 'flow.name', 256)]
}

function checkStart({ action, screen, screen_data }: FlowRequest['flow']): FieldProblem[] {
  if (action === 'data_exchange') {
    const sentence = 'With `data_exchange` your endpoint chooses the first screen; leave this out.'
    const given = [...(screen ? ['screen'] : []), ...(screen_data ? ['screen_data'] : [])]
    return given.map((field) => bodyProblem(`flow.${field}`, 'mutually_exclusive', sentence))
  }
  return screen_data && Object.keys(screen_data).length === 0
    ? [bodyProblem('flow.screen_data', 'too_short', 'Give at least one value, or leave it out.')]
    : []
}
