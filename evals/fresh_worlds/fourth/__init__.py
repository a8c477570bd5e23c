"""Worlds of what people would show an agent, by one who had not seen the learner; to look at."""

from .accounts import ContactDedupe, PaymentMatch, TimesheetTotals
from .agendas import CommonSlot
from .care import NewsletterLanguage, WardAppointment, WarrantyDesk
from .consoles import DnsRecord, PipelineJobs, SnapshotRestore
from .foreign_desks import Mahnlauf, TuihuoDesk
from .front_desks import PermitWizard, VisitorBadge
from .machines import AlertSilence, MigrationRun, ReleaseTag, YamlImage
from .mostradores import CongesDemande, PrestamoSala
from .records import CustomerPages, EtagPatch
from .stores import ReorderRound, SqlGoodsIn

WORLDS = (
    *(VisitorBadge, DnsRecord, SnapshotRestore, CustomerPages),
    *(EtagPatch, PipelineJobs, SqlGoodsIn, Mahnlauf),
    *(TuihuoDesk, PermitWizard, CommonSlot, ReorderRound),
    *(NewsletterLanguage, PrestamoSala, MigrationRun, AlertSilence),
    *(CongesDemande, ReleaseTag, YamlImage, ContactDedupe),
    *(TimesheetTotals, PaymentMatch, WardAppointment, WarrantyDesk),
)
