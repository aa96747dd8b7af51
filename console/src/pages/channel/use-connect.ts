import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call, type Schemas } from '../../api.ts'
import { useSubmit } from '../../components/form/use-submit.ts'
import { useKeptDraft } from '../../drafts.ts'
import { useSession } from '../../session.ts'

export type Checked = Schemas['ConsoleChannelChecked']

const ids = { business_id: '', phone_number_id: '', app_id: '' }
const secrets = { access_token: '', app_secret: '', pin: '' }

/** What was entered, and what Meta said to it. Ids are kept in this tab; secrets only as long as the page is open. */
export function useConnect() {
  const client = useQueryClient()
  const { user } = useSession()
  const channels = useQuery({
    queryKey: ['channel'],
    queryFn: ({ signal }) => call(api.GET('/console/api/channels', { signal })),
  })
  const [kept, keep] = useKeptDraft(user.id, 'connect', ids)
  const [secret, setSecret] = useState(secrets)
  const [result, setResult] = useState<Checked | null>(null)
  const attempt = (takeOver: boolean) => async () => {
    setResult(null)
    const { business_id, phone_number_id, app_id } = kept
    const { access_token, ...others } = secret
    const given = Object.fromEntries(Object.entries({ app_id, ...others }).filter(([, value]) => value !== ''))
    const body = { business_id, phone_number_id, access_token, ...given, ...(takeOver ? { take_over: true } : {}) }
    const checked = await call(api.POST('/console/api/channels', { body }))
    setResult(checked)
    if (checked.channel) {
      setSecret(secrets)
      keep(null)
    }
    await client.invalidateQueries({ queryKey: ['channel'] })
  }
  const connect = useSubmit(attempt(false))
  const takeOver = useSubmit(attempt(true))
  const text = (name: keyof typeof ids) => ({
    value: kept[name],
    error: connect.errorOf(name),
    inputMode: 'numeric' as const,
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => keep({ ...kept, [name]: event.target.value.trim() }),
  })
  const hidden = (name: keyof typeof secrets) => ({
    value: secret[name],
    error: connect.errorOf(name),
    type: 'password',
    autoComplete: 'off',
    onChange: (event: { target: { value: string } }) => setSecret({ ...secret, [name]: event.target.value.trim() }),
  })
  // What the gateway knows of its own address stands there from the start, before five values are entered for nothing.
  const known = result?.steps ?? (channels.data ? [channels.data.address] : [])
  const found = (...names: string[]) => known.filter(({ name }) => names.includes(name))
  return { channels: channels.data, connect, takeOver, result, text, hidden, found }
}
