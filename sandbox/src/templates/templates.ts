import { healthOfTemplate } from '../accounts/health.ts'
import { graphError, invalid, managementError } from '../http/errors.ts'
import { pickFields } from '../http/fields.ts'
import { type Call, ok, type Reply, SUCCESS } from '../http/http.ts'
import { type Json, lengthOf, list, looseList, record, text } from '../http/json.ts'
import { page } from '../http/paging.ts'
import type { Platform } from '../platform.ts'
import type { Template, Waba } from '../world.ts'
import { fromLibrary } from './template-library.ts'
import { checkComponents, readComponents, readDraft, readTtl } from './template-rules.ts'
import { changeStatus, isInUse, scheduleReview, tell } from './template-status.ts'
import { addTemplate, templatesOf } from './template-store.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const TEMPLATES_MAX = 6000
const CREATIONS_PER_HOUR = 100

/** `POST /{waba}/message_templates` */
export function createTemplate(platform: Platform, call: Call, waba: Waba): Reply {
  const known = fromLibrary(call.params)
  const draft = readDraft(known ?? call.params)
  const nowMs = platform.clock.now()
  const siblings = templatesOf(platform, waba.id)
  if (siblings.some((other) => other.name === draft.name && other.language === draft.language)) {
    throw managementError(
      2388024,
      'Content in This Language Already Exists',
      'There is already a template with this name in this language.',
    )
  }
  if ((waba.blockedNames[draft.name] ?? 0) > nowMs) {
    throw managementError(2388023, 'Template is being deleted', 'This name cannot be used again for 30 days.')
  }
  if (siblings.length >= TEMPLATES_MAX) throw managementError(2388019, 'Limit reached', 'There are too many templates.')
  const refuseSameWords = platform.behaviour.refuseSameWords && draft.category !== 'AUTHENTICATION'
  if (refuseSameWords && siblings.some((other) => other.name !== draft.name && sameWords(other, draft))) {
    throw managementError(2388072, 'Duplicate content', 'Another template has the same body and footer.')
  }
  waba.createdTemplatesAtMs = waba.createdTemplatesAtMs.filter((atMs) => nowMs - atMs < HOUR_MS)
  if (waba.createdTemplatesAtMs.length >= CREATIONS_PER_HOUR) {
    throw graphError(80007, 'Only 100 templates may be created in an hour.')
  }
  waba.createdTemplatesAtMs.push(nowMs)
  // A utility template judged promotional is taken as marketing; here the name gives it away.
  if (draft.category === 'UTILITY' && draft.name.includes('promo')) draft.category = 'MARKETING'
  // The library's words were reviewed before.
  const template = addTemplate(platform, waba.id, draft, known === null ? 'PENDING' : 'APPROVED')
  if (known === null) scheduleReview(platform, template)
  else template.libraryName = String(call.params.library_template_name)
  return ok({ id: template.id, status: template.status, category: template.category })
}

/** Two languages of one template may say the same; two templates may not. */
function sameWords(one: { components: Json[] }, other: { components: Json[] }): boolean {
  const words = ({ components }: { components: Json[] }) =>
    components
      .filter((component) => component.type === 'BODY' || component.type === 'FOOTER')
      .map((component) => text(component.text) ?? '')
      .join('\n')
  return words(one) === words(other)
}

/** `GET /{waba}/message_templates` */
export function listTemplates(platform: Platform, call: Call, waba: Waba): Reply {
  const { query } = call
  const all = templatesOf(platform, waba.id)
  const wanted = all.filter((template) => matches(template, query))
  const answer = page(wanted, call, platform.baseUrl(), (template) => view(platform, template, query.get('fields')))
  if (query.has('summary')) {
    answer.summary = {
      total_count: wanted.length,
      message_template_count: all.length,
      message_template_limit: TEMPLATES_MAX,
      are_translations_complete: true,
    }
  }
  return ok(answer)
}

function matches(template: Template, query: URLSearchParams): boolean {
  const anyOf = (name: string, value: string) => {
    const wanted = looseList(query.get(name) ?? '').map((item) => item.toLowerCase())
    return wanted.length === 0 || wanted.includes(value.toLowerCase())
  }
  const has = (name: string, ...values: string[]) => {
    const part = query.get(name)?.toLowerCase()
    return part === undefined || values.some((value) => value.toLowerCase().includes(part))
  }
  const content = template.components.map((component) => text(component.text) ?? '').join('\n')
  return (
    has('name', template.name) &&
    has('content', content) &&
    has('name_or_content', template.name, content) &&
    anyOf('status', template.status) &&
    anyOf('category', template.category) &&
    anyOf('language', template.language) &&
    anyOf('quality_score', template.quality)
  )
}

/** Without the mark of the sandbox's own for what a send may leave out; a button with a code is listed as a link. */
function asDocumented({ optional: _, ...component }: Json): Json {
  if (component.type === 'OTP') return asLink(component)
  if (component.buttons === undefined) return component
  return { ...component, buttons: list(component.buttons).map((button) => asDocumented(record(button))) }
}

function asLink(button: Json): Json {
  const apps = list(button.supported_apps).map(record)
  const query = new URLSearchParams({ otp_type: String(button.otp_type).toUpperCase() })
  if (apps.length > 0) {
    query.set('cta_display_name', text(button.autofill_text) ?? 'Autofill')
    query.set('package_name', apps.map(({ package_name }) => package_name).join(','))
    query.set('signature_hash', apps.map(({ signature_hash }) => signature_hash).join(','))
  }
  const url = `https://www.whatsapp.com/otp/code/?${query}&code=otp`
  return { type: 'URL', text: button.text ?? 'Copy code', url: `${url}{{1}}`, example: [`${url}123456`] }
}

const DEFAULT_FIELDS = 'name,parameter_format,components,language,status,category,sub_category'

function view(platform: Platform, template: Template, fields: string | null): Json {
  const all: Json = {
    name: template.name,
    parameter_format: template.parameterFormat,
    components: template.components.map(asDocumented),
    language: template.language,
    status: template.status,
    category: template.category,
    sub_category: 'CUSTOM',
    previous_category: template.previousCategory ?? undefined,
    correct_category: template.correctCategory ?? undefined,
    quality_score: { score: template.quality, date: Math.floor(template.qualityAtMs / 1000) },
    rejected_reason: template.rejectedReason,
    message_send_ttl_seconds: template.ttlSeconds ?? undefined,
    cta_url_link_tracking_opted_out: false,
    library_template_name: template.libraryName,
    health_status: healthOfTemplate(platform, template),
    id: template.id,
  }
  return pickFields(all, fields ?? DEFAULT_FIELDS, 'WhatsAppMessageTemplate')
}

/** `GET /{template_id}` */
export function readTemplate(platform: Platform, call: Call, template: Template): Reply {
  return ok(view(platform, template, call.query.get('fields')))
}

/** `POST /{template_id}`: full replacement of the components, and another review. */
export function editTemplate(platform: Platform, call: Call, template: Template): Reply {
  const { params } = call
  if (!['APPROVED', 'REJECTED', 'PAUSED'].includes(template.status)) {
    throw managementError(
      2388039,
      'Template cannot be edited',
      `A template that is ${template.status} cannot be edited.`,
    )
  }
  const category = text(params.category)?.toUpperCase() ?? template.category
  const approved = template.status === 'APPROVED'
  if (approved && category !== template.category) {
    throw managementError(2388039, 'Category cannot be edited', 'The category of an approved template stays.')
  }
  const components = readComponents(params.components ?? template.components)
  checkComponents(components, category, template.parameterFormat)
  if (approved) countEdit(platform, template)
  if (approved) template.approvedComponents = template.components
  template.components = components
  template.category = category
  template.ttlSeconds = readTtl(params, category) ?? template.ttlSeconds
  template.status = 'PENDING'
  platform.changed()
  tellComponents(platform, template)
  scheduleReview(platform, template)
  return SUCCESS
}

/** An approved template may be edited once in 24 hours and ten times in 30 days. */
function countEdit(platform: Platform, template: Template): void {
  const nowMs = platform.clock.now()
  const recent = template.editedAtMs.filter((atMs) => nowMs - atMs < 30 * DAY_MS)
  const today = recent.filter((atMs) => nowMs - atMs < DAY_MS)
  if (today.length >= 1 || recent.length >= 10) {
    throw managementError(
      2388039,
      'Edited too often',
      'An approved template may be edited once a day, 10 times a month.',
    )
  }
  template.editedAtMs = [...recent, nowMs]
}

function tellComponents(platform: Platform, template: Template): void {
  const of = (type: string) => template.components.find((component) => component.type === type)
  const buttons = list(of('BUTTONS')?.buttons).map(record)
  tell(platform, template, 'message_template_components_update', {
    message_template_element: of('BODY')?.text,
    message_template_title: of('HEADER')?.text,
    message_template_footer: of('FOOTER')?.text,
    message_template_buttons:
      buttons.length === 0
        ? undefined
        : buttons.map((button) => ({
            message_template_button_type: button.type,
            message_template_button_text: button.text,
            message_template_button_url: button.url,
            message_template_button_phone_number: button.phone_number,
          })),
  })
}

/** `DELETE /{waba}/message_templates`: by name in all languages, by id and name, or by a list of ids. */
export function deleteTemplates(platform: Platform, call: Call, waba: Waba): Reply {
  const { params } = call
  const own = templatesOf(platform, waba.id)
  const ids = looseList(params.hsm_ids)
  const name = text(params.name)
  if (ids.length > 100) throw invalid('At most 100 templates may be deleted at once')
  if (ids.length === 0 && name === undefined) throw graphError(100, undefined, { message: '(#100) name is required' })
  const one = params.hsm_id === undefined ? null : String(params.hsm_id)
  const doomed =
    ids.length > 0
      ? own.filter((template) => ids.includes(template.id))
      : own.filter((template) => template.name === name && (one === null || template.id === one))
  if (doomed.length === 0 || (ids.length > 0 && doomed.length !== ids.length)) {
    throw managementError(2593002, 'Template not found', 'No template with this name or id exists.')
  }
  if (doomed.some((template) => template.status === 'DISABLED')) {
    throw managementError(2388039, 'Cannot delete', 'A disabled template cannot be deleted.')
  }
  for (const template of doomed) remove(platform, waba, template)
  return SUCCESS
}

function remove(platform: Platform, waba: Waba, template: Template): void {
  if (isInUse(template)) waba.blockedNames[template.name] = platform.clock.now() + 30 * DAY_MS
  platform.world.templates.delete(template.id)
  platform.changed()
}

/** `POST /{template_id}/unpause` */
export function unpauseTemplate(platform: Platform, _call: Call, template: Template): Reply {
  if (template.status !== 'PAUSED') return ok({ success: false, reason: 'The template is not paused.' })
  changeStatus(platform, template, 'unpause')
  return SUCCESS
}

/** `POST /{waba}/message_templates/archive|unarchive` */
export function archiveTemplates(platform: Platform, call: Call, waba: Waba): Reply {
  const decision = call.path[2] === 'archive' ? 'archive' : 'unarchive'
  const ids = looseList(call.params.hsm_ids)
  const own = templatesOf(platform, waba.id).filter((template) => ids.includes(template.id))
  for (const template of own) changeStatus(platform, template, decision)
  const done = own.map((template) => template.id)
  const missed = ids.filter((id) => !done.includes(id)).map((id) => [id, 'There is no such template'])
  return ok({ [`${decision}d_templates`]: done, failed_templates: Object.fromEntries(missed) })
}

/** `POST /{waba}/upsert_message_templates`: one text, several languages. */
export function upsertTemplates(platform: Platform, call: Call, waba: Waba): Reply {
  const data = looseList(call.params.languages).map((language) => {
    const draft = readDraft({ ...call.params, language })
    const known = templatesOf(platform, waba.id).find((t) => t.name === draft.name && t.language === language)
    const template = known ? Object.assign(known, draft) : addTemplate(platform, waba.id, draft, 'PENDING')
    template.status = 'PENDING'
    scheduleReview(platform, template)
    return { id: template.id, status: template.status, language }
  })
  if (data.length === 0 || lengthOf(String(call.params.name ?? '')) === 0)
    throw invalid('languages and name are required')
  return ok({ data })
}
