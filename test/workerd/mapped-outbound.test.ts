import { describeMappedOutbound } from '../sandbox/mapped-outbound-cases.js';
import { testRuntime } from './installed-workerd.js';

describeMappedOutbound(() => testRuntime());
