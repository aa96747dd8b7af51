import { Check, Choices, Field, Select } from '../../components/form/field.tsx'
import { BodyField } from './body-field.tsx'
import { ButtonFields } from './button-fields.tsx'
import { CarouselFields, LayoutChoice } from './carousel-fields.tsx'
import { type FormProps, Length } from './form-parts.tsx'
import { HeaderFields } from './header-fields.tsx'
import { languageOptions } from './languages.ts'
import { SampleFields } from './sample-fields.tsx'
import type { Category } from './template-draft.ts'
import type { Template } from './template-status.tsx'

const categories: readonly { value: Category; label: string; hint: string }[] = [
  { value: 'utility', label: 'Utility', hint: 'About something the customer ordered or requested.' },
  { value: 'marketing', label: 'Marketing', hint: 'Offers, news, and everything else.' },
  { value: 'authentication', label: 'Authentication', hint: 'A one-time code; Meta writes the text.' },
]

export function TemplateForm({ draft, record, onChange, errorOf }: FormProps & { record: Template | null }) {
  const props = { draft, onChange, errorOf }
  return (
    <form className="card card-body form template-form" onSubmit={(event) => event.preventDefault()}>
      {!record && (
        <div className="field-pair">
          <Field
            label="Name"
            placeholder="appointment_moved"
            hint="a–z, 0–9 and _. Your services send it by this name."
            maxLength={512}
            autoComplete="off"
            value={draft.name}
            error={errorOf('name', draft.name)}
            onChange={(event) => onChange({ name: event.target.value })}
          />
          <Select
            label="Language"
            options={languageOptions(draft.language)}
            value={draft.language}
            onChange={(event) => onChange({ language: event.target.value })}
          />
        </div>
      )}
      {record?.status !== 'approved' && (
        <Choices
          legend="Category"
          name="category"
          value={draft.category}
          options={categories}
          // Each category has its own range of times to deliver.
          onChange={(category) => onChange({ category, ttlSeconds: null })}
        />
      )}
      {draft.category === 'authentication' ? (
        <CodeFields {...props} />
      ) : (
        <>
          <LayoutChoice {...props} />
          {!draft.isCarousel && <HeaderFields {...props} />}
          <BodyField {...props} />
          <SampleFields {...props} />
          {draft.isCarousel ? (
            <CarouselFields {...props} />
          ) : (
            <>
              <Field
                label="Footer"
                optional
                placeholder="Reply STOP to opt out"
                hint={<Length text={draft.footer} max={60} />}
                value={draft.footer}
                error={errorOf('footer.text', draft.footer)}
                onChange={(event) => onChange({ footer: event.target.value })}
              />
              <ButtonFields {...props} />
            </>
          )}
        </>
      )}
    </form>
  )
}

/** The platform fixes the form of one-time codes; only this much is left to say. */
function CodeFields({ draft, onChange, errorOf }: FormProps) {
  return (
    <>
      <Check checked={draft.securityAdvice} onChange={(event) => onChange({ securityAdvice: event.target.checked })}>
        Advise not to share the code
      </Check>
      <Field
        label="Minutes until the code expires"
        optional
        type="number"
        min={1}
        max={90}
        value={draft.expiryMinutes}
        error={errorOf('footer.code_expiration_minutes', draft.expiryMinutes)}
        onChange={(event) => onChange({ expiryMinutes: event.target.value })}
      />
    </>
  )
}
