import Type from 'typebox'
import { fieldCodes, namedObject, object, oneOf, ref } from '../schema.ts'
import { TemplatePreview } from '../template-preview.ts'
import { Template } from '../templates.ts'

export const CheckedDraft = namedObject('ConsoleCheckedTemplate', {
  problems: Type.Array(object({ field: Type.String(), code: oneOf(fieldCodes), message: Type.String() }), {
    description: 'Every problem that a submission would be rejected for; at most 20.',
  }),
  preview: ref(TemplatePreview),
})

export const CatalogSubmission = namedObject('ConsoleCatalogSubmission', {
  templates: Type.Array(ref(Template)),
  refused: Type.Array(
    object({ name: Type.String(), language: Type.String(), code: Type.String(), message: Type.String() }),
  ),
})
