import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { usePreferences } from '../../preferences.ts'
import { ButtonLink } from '../form/button.tsx'
import { SearchField } from '../form/search-field.tsx'
import { Dialog } from '../overlay/dialog.tsx'
import { QueryView } from '../query-view.tsx'
import { Notice } from '../state.tsx'

type Template = Schemas['Template']

/** Approved templates with language and text, those that were sent from this browser first. Nothing is chosen beforehand. */
export function TemplatePicker({ onChoose, onClose }: { onChoose: (template: Template) => void; onClose: () => void }) {
  const [search, setSearch] = useState('')
  const { sentTemplates } = usePreferences()
  const templates = useQuery({
    queryKey: ['templates', 'approved', search],
    queryFn: ({ signal }) => {
      const query = { status: 'approved', limit: 100, ...(search ? { search } : {}) }
      return call(api.GET('/console/api/templates', { params: { query }, signal }))
    },
    placeholderData: (previous) => previous,
  })
  const rank = ({ id }: Template) => {
    const place = sentTemplates.indexOf(id)
    return place < 0 ? sentTemplates.length : place
  }
  return (
    <Dialog title="Send a template" onClose={onClose}>
      <SearchField label="Search templates" value={search} onSettled={setSearch} />
      <QueryView query={templates}>
        {({ templates: found, pagination }) =>
          found.length > 0 ? (
            <>
              <ul className="template-choices" aria-label="Templates">
                {found
                  .toSorted((a, b) => rank(a) - rank(b))
                  .map((template) => (
                    <li key={template.id}>
                      <button type="button" className="template-choice" onClick={() => onChoose(template)}>
                        <span className="row">
                          <strong className="break">{template.name}</strong>
                          <span className="muted small">{template.language}</span>
                        </span>
                        <span className="template-choice-text" dir="auto">
                          {bodyOf(template)}
                        </span>
                      </button>
                    </li>
                  ))}
              </ul>
              {pagination.has_more && <p className="muted small">Search to find more.</p>}
            </>
          ) : (
            <Notice>
              <p>{search ? 'No results.' : 'No template is approved yet.'}</p>
              {!search && <ButtonLink to="/templates">Open templates</ButtonLink>}
            </Notice>
          )
        }
      </QueryView>
    </Dialog>
  )
}

function bodyOf({ components }: Template): string {
  const body = components.find(({ type }) => type === 'body')
  return body && 'text' in body && typeof body.text === 'string' ? body.text : ''
}
