import { isRecord } from '../../lib/is-record.ts'
import { type Context, fail, isGiven, listOf } from './raw-component.ts'
import type { MediaSample } from './template-types.ts'
import { isWebAddress } from './web-address.ts'

/** The sample of a media header, in one of its forms; undefined where none is given, or it cannot be read. */
export function readSample(example: unknown, { place, problems }: Context): MediaSample | undefined {
  const field = `${place}.example`
  if (!isGiven(example)) return undefined
  if (!isRecord(example)) return fail(problems, field, 'invalid_type', 'Give the sample as {"link": "https://…"}.')
  const [form, ...others] = Object.keys(example).filter((key) => isGiven(example[key]))
  if (form === undefined) return undefined
  const unknown = [form, ...others].find((key) => !forms.includes(key))
  if (unknown !== undefined) {
    const message = `There is no field '${unknown.slice(0, 64)}' here. Known: ${forms.join(', ')}.`
    return fail(problems, `${field}.${unknown}`, 'unknown_field', message)
  }
  if (others.length > 0) {
    return fail(problems, field, 'mutually_exclusive', 'Give one sample: a link, a media_id or a handle.')
  }
  const [value, ...more] = form === 'header_handle' ? listOf(example[form]) : [example[form]]
  if (typeof value !== 'string' || value.trim() === '' || more.length > 0) {
    return fail(problems, `${field}.${form}`, 'invalid_type', 'Give one string.')
  }
  if (form === 'media_id') return { media_id: value }
  if (form !== 'link') return { handle: value }
  if (isWebAddress(value)) return { link: value }
  return fail(problems, `${field}.link`, 'invalid_url', 'Give a complete http or https address.')
}

const forms = ['link', 'media_id', 'handle', 'header_handle']
