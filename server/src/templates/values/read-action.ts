import type { ButtonAction, Product, ProductSection } from '../../contract/template-values.ts'
import { isRecord } from '../../lib/is-record.ts'
import { isGiven } from '../content/raw-component.ts'
import { requireObject, requireText, Unreadable } from './unreadable.ts'

/** What a button of a Flow or of products is given; which fields it takes is for `matchButtons`. */
export function readAction(given: unknown, place: string): ButtonAction {
  const keys = ['flow_token', 'flow_action_data', 'thumbnail_product_retailer_id', 'sections']
  const {
    flow_token,
    flow_action_data,
    thumbnail_product_retailer_id: thumbnail,
    sections,
  } = requireObject(given, place, keys)
  if (isGiven(flow_action_data) && !isRecord(flow_action_data)) {
    throw new Unreadable(`${place}.flow_action_data`, 'invalid_type', 'Give an object.')
  }
  return {
    ...(isGiven(flow_token) ? { flow_token: requireText(flow_token, `${place}.flow_token`) } : {}),
    ...(isRecord(flow_action_data) ? { flow_action_data } : {}),
    ...(isGiven(thumbnail)
      ? { thumbnail_product_retailer_id: requireText(thumbnail, `${place}.thumbnail_product_retailer_id`) }
      : {}),
    ...(isGiven(sections) ? { sections: readSections(sections, `${place}.sections`) } : {}),
  }
}

export function readProduct(given: unknown, place: string): Product {
  const { product_retailer_id, catalog_id } = requireObject(given, place, ['product_retailer_id', 'catalog_id'])
  return {
    product_retailer_id: requireText(product_retailer_id, `${place}.product_retailer_id`),
    catalog_id: requireText(catalog_id, `${place}.catalog_id`),
  }
}

const sectionsMax = 10
const productsMax = 30
const titleCharactersMax = 24

function readSections(given: unknown, place: string): ProductSection[] {
  const sections = requireList(given, place, `Give 1 to ${sectionsMax} sections.`)
  if (sections.length > sectionsMax) {
    throw new Unreadable(place, 'too_many_items', `A message has at most ${sectionsMax} sections.`)
  }
  const read = sections.map((section, index) => readSection(section, `${place}[${index}]`))
  const products = read.reduce((sum, { product_items }) => sum + product_items.length, 0)
  if (products <= productsMax) return read
  throw new Unreadable(place, 'too_many_items', `A message has at most ${productsMax} products, this has ${products}.`)
}

function readSection(given: unknown, place: string): ProductSection {
  const raw = requireObject(given, place, ['title', 'product_items'])
  const title = requireText(raw.title, `${place}.title`)
  if (Array.from(title).length > titleCharactersMax) {
    throw new Unreadable(`${place}.title`, 'too_long', `A title has at most ${titleCharactersMax} characters.`)
  }
  const field = `${place}.product_items`
  const product_items = requireList(raw.product_items, field, 'Give at least one product.').map((item, index) => {
    const { product_retailer_id } = requireObject(item, `${field}[${index}]`, ['product_retailer_id'])
    return { product_retailer_id: requireText(product_retailer_id, `${field}[${index}].product_retailer_id`) }
  })
  return { title, product_items }
}

function requireList(given: unknown, field: string, message: string): unknown[] {
  if (!Array.isArray(given)) throw new Unreadable(field, isGiven(given) ? 'invalid_type' : 'required', message)
  if (given.length === 0) throw new Unreadable(field, 'too_short', message)
  return given
}
