import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call } from '../../api.ts'
import { Button } from '../../components/button.tsx'
import { CodeBlock } from '../../components/code-block.tsx'
import { Page, SameByCode } from '../../components/page.tsx'
import { QueryView } from '../../components/query-view.tsx'
import { neededSteps, SetupCard, useProgress } from '../../components/setup-card.tsx'
import { getSamples } from '../../samples.ts'
import { useMay, useSession } from '../../session.ts'
import { AttentionList } from './attention-list.tsx'
import { Figures } from './figures.tsx'
import { HealthLine } from './health-line.tsx'
import { LatestMessages } from './latest-messages.tsx'
import { TestMessageDialog } from './test-message-dialog.tsx'

/** Is it working? */
export default function HomePage() {
  const { base_url: baseUrl } = useSession()
  const [isSending, setSending] = useState(false)
  const maySend = useMay('messages:send')
  const mayRead = useMay('messages:read')
  const progress = useProgress()
  const home = useQuery({
    queryKey: ['home', 'figures'],
    queryFn: () => call(api.GET('/console/api/home')),
    refetchInterval: 15_000,
  })
  return (
    <Page
      title="Home"
      lead="The last 24 hours"
      action={
        maySend && (
          <Button kind="primary" icon="message" onClick={() => setSending(true)}>
            Send a test message
          </Button>
        )
      }
    >
      <QueryView query={home}>
        {(data) => (
          <>
            <HealthLine channel={data.channel} />
            {progress.data && progress.data.done < neededSteps && <SetupCard progress={progress.data} />}
            <Figures figures={data.figures} />
            <AttentionList items={data.attention} />
            {mayRead && <LatestMessages />}
          </>
        )}
      </QueryView>
      <SameByCode>
        <CodeBlock
          title="The same figures"
          samples={getSamples({ baseUrl, apiKey: '' }, '/v1/chat/analytics?granularity=hour')}
        />
      </SameByCode>
      {isSending && <TestMessageDialog onClose={() => setSending(false)} />}
    </Page>
  )
}
