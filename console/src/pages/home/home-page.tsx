import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'wouter'
import { api, call, toFailure } from '../../api.ts'
import { CodeBlock } from '../../components/code-block.tsx'
import { Button } from '../../components/form/button.tsx'
import { Page, SameByCode } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { FailureNotice } from '../../components/state.tsx'
import { useSampleWorld } from '../../sample-world.ts'
import { getSamples } from '../../samples.ts'
import { useMay } from '../../session.ts'
import { AttentionList } from './attention-list.tsx'
import { CostsTile } from './costs-tile.tsx'
import { Figures } from './figures.tsx'
import { HealthLine } from './health-line.tsx'
import { LatestMessages } from './latest-messages.tsx'
import { isSetUp, SetupCard, useProgress } from './setup-card.tsx'
import { TestMessageDialog } from './test-message-dialog.tsx'
import { WaitingCustomers } from './waiting-customers.tsx'

/** Is it working? */
export default function HomePage() {
  const world = useSampleWorld()
  const [search, setSearch] = useSearchParams()
  const maySend = useMay('messages:send')
  const mayRead = useMay('messages:read')
  const maySeeCosts = useMay('costs:read')
  // The first steps are for those who can take them.
  const maySetUp = useMay('keys:write')
  const progress = useProgress()
  const home = useQuery({
    queryKey: ['home', 'figures'],
    queryFn: ({ signal }) => call(api.GET('/console/api/home', { signal })),
  })
  // Nothing to send from: the first steps come first. A role that may not see the channel cannot tell.
  const hasNoNumber = useMay('channel:read') && home.data?.channel === null
  return (
    <Page
      title="Home"
      lead="The last 24 hours"
      action={
        maySend &&
        !hasNoNumber && (
          <Button kind="primary" icon="message" onClick={() => setSearch({ send: '' })}>
            Send a test message
          </Button>
        )
      }
    >
      <QueryView query={home} shape="figures">
        {(data) => (
          <>
            <HealthLine channel={data.channel} figures={data.figures} />
            <div className="home-first">
              <WaitingCustomers />
              {maySeeCosts && <CostsTile />}
            </div>
            {maySetUp && progress.data && !isSetUp(progress.data) && <SetupCard progress={progress.data} />}
            {progress.error && !progress.data && <FailureNotice failure={toFailure(progress.error)} />}
            <Figures figures={data.figures} />
            <AttentionList items={data.attention} />
            {mayRead && <LatestMessages />}
          </>
        )}
      </QueryView>
      <SameByCode>
        <CodeBlock title="The same figures" samples={getSamples(world, '/v1/chat/analytics?granularity=hour')} />
      </SameByCode>
      {search.has('send') && maySend && <TestMessageDialog onClose={() => setSearch({}, { replace: true })} />}
    </Page>
  )
}
