import { bodyProblem, type FieldProblem } from '../../../contract/schema.ts'
import { checkSectionTitle } from './check-choices.ts'
import { checkCount, checkId } from './check-parts.ts'
import type { ProductCarouselRequest, ProductListRequest } from './interactive-request.ts'

/** No page of Meta says how long an id of a catalog may be; no shop has longer ones. */
export const idMax = 256
const productsMax = 30

/** Whether the catalog has the products is for Meta to say. */
export function checkProductList({ catalog_id, product_sections }: ProductListRequest): FieldProblem[] {
  const products = product_sections.flatMap(({ product_ids }) => product_ids).length
  return [
    ...checkId(catalog_id, 'catalog_id', idMax),
    ...checkCount(product_sections.length, 'product_sections', { most: 10, noun: 'sections' }),
    ...product_sections.flatMap((section, index) =>
      checkProductSection(section, `product_sections[${index}]`, product_sections.length),
    ),
    ...(products > productsMax ? [bodyProblem('product_sections', 'too_many_items', tooMany(products))] : []),
  ]
}

/** All cards are of one catalog. */
export function checkProductCarousel({ catalog_id, product_ids }: ProductCarouselRequest): FieldProblem[] {
  return [
    ...checkId(catalog_id, 'catalog_id', idMax),
    ...checkCount(product_ids.length, 'product_ids', { least: 2, most: 10, noun: 'products' }),
    ...product_ids.flatMap((id, index) => checkId(id, `product_ids[${index}]`, idMax)),
  ]
}

const tooMany = (products: number) =>
  `A list has at most ${productsMax} products in all its sections together, this has ${products}.`

type Section = ProductListRequest['product_sections'][number]

function checkProductSection({ title, product_ids }: Section, place: string, sections: number): FieldProblem[] {
  const none = bodyProblem(`${place}.product_ids`, 'too_short', 'Give the section at least one product.')
  return [
    ...checkSectionTitle(title, `${place}.title`, sections),
    ...(product_ids.length === 0 ? [none] : []),
    ...product_ids.flatMap((id, index) => checkId(id, `${place}.product_ids[${index}]`, idMax)),
  ]
}
