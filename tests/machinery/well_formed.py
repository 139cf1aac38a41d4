# SPDX-License-Identifier: BSL-1.0
# python3 well_formed.py FILE...: each is XML.
import sys
import xml.dom.minidom

for name in sys.argv[1:]:
    xml.dom.minidom.parse(name)
