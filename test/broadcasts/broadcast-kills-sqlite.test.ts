import { broadcastWithKills } from '../support/kills/broadcast-with-kills.ts'

broadcastWithKills('sqlite')
