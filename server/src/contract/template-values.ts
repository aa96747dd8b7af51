import type { MediaKind } from './template-content.ts'

/** One value of a template; `parameter_name` only where variables have names. `Media` is how a file is named. */
export type TemplateValue<Media> =
  | { type: 'text'; parameter_name?: string; text: string }
  | {
      type: 'currency'
      parameter_name?: string
      currency: { fallback_value: string; code: string; amount_1000: number }
    }
  | { type: 'date_time'; parameter_name?: string; date_time: { fallback_value: string } }
  | { type: MediaKind; media: Media }
  | { type: 'payload'; payload: string }

/** The values of one component, in the order of the template. Components without values are left out. */
export type ComponentValues<Media> =
  | { type: 'header' | 'body'; parameters: TemplateValue<Media>[] }
  | { type: 'button'; sub_type: 'url' | 'quick_reply'; index: number; parameters: TemplateValue<Media>[] }
