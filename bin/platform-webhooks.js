#!/usr/bin/env node
'use strict';
require('./start.js')('platform-webhooks', 'deliveries/main.cjs');
