import { sendsWithKills } from '../support/kills/sends-with-kills.ts'

sendsWithKills('sqlite')
