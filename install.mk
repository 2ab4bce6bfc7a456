# Installing and uninstalling. The top Makefile includes this file and defines `build`, which
# makes .build/release/quickactionsd and .build/release/quickactions.
#
#   make install [PREFIX=/usr] [DESTDIR=]     for the machine; needs write access there
#   make install-user                         for the person who runs it, under the home folder
#   make uninstall, make uninstall-user       with the same variables as the install
#
# No target starts, enables or creates anything in the running system: what to run next is
# printed. Where another user has to install (`sudo make install`), build first as yourself;
# `install-files` and `install-user-files` install without looking at the sources.

PREFIX ?= /usr
DESTDIR ?=
# Settings are read from here by every build of the daemon, so PREFIX does not move them.
SYSCONFDIR ?= /etc
DAEMON ?= .build/release/quickactionsd
CLIENT ?= .build/release/quickactions
INSTALL ?= install

BINDIR = $(PREFIX)/bin
UNITDIR = $(PREFIX)/lib/systemd/system
USERUNITDIR = $(PREFIX)/lib/systemd/user
SYSUSERSDIR = $(PREFIX)/lib/sysusers.d
EXAMPLEDIR = $(PREFIX)/share/doc/quickactions/examples
SHAREDIR = $(PREFIX)/share/quickactions
SETTINGSDIR = $(SYSCONFDIR)/quickactions
SETTINGS = $(SETTINGSDIR)/quickactions.conf

# One person's places.
HOME_BINDIR = $(HOME)/.local/bin
HOME_UNITDIR = $(or $(XDG_CONFIG_HOME),$(HOME)/.config)/systemd/user

UNITS = quickactions.service quickactions.socket quickactions-control.socket
SETTINGS_SAMPLE = etc/quickactions.conf
CATALOGUE_SAMPLES = $(wildcard etc/catalogue.d/*.json)
SCHEMA = docs/catalogue.schema.json

# $(call put-units,FROM,TO,BIN): the units, with the daemon's own folder in their command lines.
define put-units
	$(INSTALL) -d '$(2)'
	@for unit in $(UNITS); do \
	  echo "$(1)/$$unit -> $(2)"; \
	  sed 's|/usr/bin/quickactionsd|$(3)/quickactionsd|' "$(1)/$$unit" >'$(2)'/"$$unit.tmp" && \
	  chmod 644 '$(2)'/"$$unit.tmp" && mv '$(2)'/"$$unit.tmp" '$(2)'/"$$unit" || exit 1; \
	done
endef

.PHONY: install install-files uninstall install-user install-user-files uninstall-user have-programs

install: build
	@$(MAKE) --no-print-directory install-files

install-user: build
	@$(MAKE) --no-print-directory install-user-files

have-programs:
	@for program in '$(DAEMON)' '$(CLIENT)'; do \
	  test -x "$$program" || { echo "$$program is not there: run \`make build\` first." >&2; exit 1; }; \
	done

install-files: have-programs
	$(INSTALL) -d '$(DESTDIR)$(BINDIR)'
	$(INSTALL) -m 755 '$(DAEMON)' '$(DESTDIR)$(BINDIR)/quickactionsd'
	$(INSTALL) -m 755 '$(CLIENT)' '$(DESTDIR)$(BINDIR)/quickactions'
	$(call put-units,systemd/system,$(DESTDIR)$(UNITDIR),$(BINDIR))
	$(call put-units,systemd/user,$(DESTDIR)$(USERUNITDIR),$(BINDIR))
	$(INSTALL) -D -m 644 systemd/sysusers.d/quickactions.conf '$(DESTDIR)$(SYSUSERSDIR)/quickactions.conf'
	$(INSTALL) -D -m 644 $(SETTINGS_SAMPLE) '$(DESTDIR)$(EXAMPLEDIR)/quickactions.conf'
	$(INSTALL) -d '$(DESTDIR)$(EXAMPLEDIR)/catalogue.d'
	$(INSTALL) -m 644 $(CATALOGUE_SAMPLES) '$(DESTDIR)$(EXAMPLEDIR)/catalogue.d'
	$(INSTALL) -D -m 644 $(SCHEMA) '$(DESTDIR)$(SHAREDIR)/$(notdir $(SCHEMA))'
	@# The administrator's file is never touched: the newest sample is the one in $(EXAMPLEDIR).
	@if test -e '$(DESTDIR)$(SETTINGS)'; then echo '$(DESTDIR)$(SETTINGS) is kept as it is'; else \
	  echo '$(SETTINGS_SAMPLE) -> $(DESTDIR)$(SETTINGS)'; \
	  $(INSTALL) -D -m 644 $(SETTINGS_SAMPLE) '$(DESTDIR)$(SETTINGS)'; fi
ifeq ($(DESTDIR),)
	@echo
	@echo 'Next, as root:'
	@echo '  systemd-sysusers && systemctl daemon-reload'
	@echo '  systemctl enable --now quickactions.socket quickactions-control.socket quickactions.service'
endif

uninstall:
	rm -f '$(DESTDIR)$(BINDIR)/quickactionsd' '$(DESTDIR)$(BINDIR)/quickactions'
	rm -f '$(DESTDIR)$(SYSUSERSDIR)/quickactions.conf'
	rm -f $(foreach unit,$(UNITS),'$(DESTDIR)$(UNITDIR)/$(unit)' '$(DESTDIR)$(USERUNITDIR)/$(unit)')
	@# Settings that were changed stay; the sample that came with them is the measure.
	@if cmp -s '$(DESTDIR)$(EXAMPLEDIR)/quickactions.conf' '$(DESTDIR)$(SETTINGS)'; then \
	  rm -f '$(DESTDIR)$(SETTINGS)'; fi
	rm -f '$(DESTDIR)$(EXAMPLEDIR)/quickactions.conf' '$(DESTDIR)$(SHAREDIR)/$(notdir $(SCHEMA))'
	rm -f $(foreach sample,$(notdir $(CATALOGUE_SAMPLES)),'$(DESTDIR)$(EXAMPLEDIR)/catalogue.d/$(sample)')
	@for folder in $(EXAMPLEDIR)/catalogue.d $(EXAMPLEDIR) $(dir $(EXAMPLEDIR)) $(SHAREDIR) $(SETTINGSDIR); do \
	  rmdir "$(DESTDIR)$$folder" 2>/dev/null || :; done
	@echo 'State, changed settings and the user quickactions are left; docs/OPERATIONS.md says where.'

install-user-files: have-programs
	$(INSTALL) -d '$(HOME_BINDIR)'
	$(INSTALL) -m 755 '$(DAEMON)' '$(HOME_BINDIR)/quickactionsd'
	$(INSTALL) -m 755 '$(CLIENT)' '$(HOME_BINDIR)/quickactions'
	$(call put-units,systemd/user,$(HOME_UNITDIR),$(HOME_BINDIR))
	@echo
	@echo 'Next:'
	@echo '  systemctl --user daemon-reload'
	@echo '  systemctl --user enable --now quickactions.socket quickactions-control.socket quickactions.service'

uninstall-user:
	rm -f '$(HOME_BINDIR)/quickactionsd' '$(HOME_BINDIR)/quickactions' $(foreach unit,$(UNITS),'$(HOME_UNITDIR)/$(unit)')
	@echo 'State and settings are left; docs/OPERATIONS.md says where.'
