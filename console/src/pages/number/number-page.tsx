import { useQuery } from '@tanstack/react-query'
import { useParams } from 'wouter'
import { api, call } from '../../api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Page, SameByCode } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { useSampleWorld } from '../../sample-world.ts'
import { getSamples } from '../../samples.ts'
import { useMay } from '../../session.ts'
import { BlockedList } from './blocked-list.tsx'
import { ProfileForm } from './profile-form.tsx'

/** One number: what customers see about it, and who may not write to it. Both are at Meta, and are asked for there. */
export default function NumberPage() {
  const { id = '' } = useParams()
  const world = useSampleWorld()
  const maySeeBlocked = useMay('blocked:read')
  const profile = useQuery({
    queryKey: ['profile', id],
    queryFn: ({ signal }) => call(api.GET('/console/api/profile', { params: { query: { from: id } }, signal })),
  })
  return (
    <Page
      title={profile.data?.phone_number ?? 'Number'}
      lead="The business profile that customers see, and the customers you blocked."
      trail={[{ title: 'Phone numbers', to: '/channel' }]}
    >
      <div className="stack number-parts">
        <section className="stack" aria-labelledby="profile">
          <h2 id="profile">Business profile</h2>
          <QueryView query={profile}>
            {(data) => <ProfileForm key={JSON.stringify(data)} id={id} profile={data} />}
          </QueryView>
        </section>
        <section className="stack" aria-labelledby="blocked">
          <h2 id="blocked">Blocked customers</h2>
          {maySeeBlocked ? (
            <BlockedList id={id} />
          ) : (
            <p className="muted">Your role can&apos;t see customers, so the block list is hidden.</p>
          )}
        </section>
        <SameByCode>
          <CodeBlock title="The profile, from the API" samples={getSamples(world, '/v1/chat/profile')} />
          <CodeBlock title="The block list, from the API" samples={getSamples(world, '/v1/chat/blocked')} />
          <CodeBlock
            title="On the gateway host, in the clone"
            samples={{
              shell: `npx --no-install postern channels profile ${id}\nnpx --no-install postern channels blocked ${id}`,
            }}
          />
        </SameByCode>
      </div>
    </Page>
  )
}
